import { ChartNoAxesGantt, Maximize2, Plus, Printer, Table2, ZoomIn, ZoomOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSpecialtyName } from '../../client/entry-name.ts';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Chip, RemovableChip } from '../../ui/chip.tsx';
import { OptionList } from '../../ui/combobox.tsx';
import { Segments } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Popover } from '../../ui/popover.tsx';

const ZOOM_STEP = 1.6;
interface Specialty {
  value: string;
  label: string;
  count: number;
}

/** The filter by specialty, the view, zoom, print and new event. */
export function Toolbar({
  view,
  specialties,
  specialty,
  disabled,
  onView,
  onSpecialty,
  onNew,
  onZoom,
  onAll,
}: {
  view: 'axis' | 'table';
  specialties: readonly Specialty[];
  specialty: string | undefined;
  disabled: boolean;
  onView: (view: 'axis' | 'table') => void;
  onSpecialty: (value: string | undefined) => void;
  /** Creates an event; null if the user may not edit. */
  onNew: (() => void) | null;
  onZoom: (factor: number) => void;
  onAll: () => void;
}) {
  const { t } = useTranslation('timeline');
  return (
    <div className="tl-toolbar">
      <SpecialtyFilter
        specialties={specialties}
        selected={specialty?.split(',').filter(Boolean) ?? []}
        onChange={(values) => onSpecialty(values.join(',') || undefined)}
      />
      <Segments
        label={t('view')}
        value={view}
        onChange={onView}
        options={[
          { value: 'axis', label: t('as_axis'), icon: <Icon glyph={ChartNoAxesGantt} /> },
          { value: 'table', label: t('as_table'), icon: <Icon glyph={Table2} /> },
        ]}
      />
      <ZoomButtons disabled={disabled} onZoom={onZoom} onAll={onAll} />
      {onNew && (
        <Button glyph={Plus} onClick={onNew}>
          {t('new_event')}
        </Button>
      )}
    </div>
  );
}

function ZoomButtons({
  disabled,
  onZoom,
  onAll,
}: {
  disabled: boolean;
  onZoom: (factor: number) => void;
  onAll: () => void;
}) {
  const { t } = useTranslation('timeline');
  return (
    <span className="row">
      <IconButton
        glyph={ZoomOut}
        label={t('zoom_out')}
        keys="-"
        disabled={disabled}
        onClick={() => onZoom(1 / ZOOM_STEP)}
      />
      <IconButton glyph={ZoomIn} label={t('zoom_in')} keys="+" disabled={disabled} onClick={() => onZoom(ZOOM_STEP)} />
      <IconButton glyph={Maximize2} label={t('all')} keys="0" disabled={disabled} onClick={onAll} />
      <IconButton glyph={Printer} label={t('print')} disabled={disabled} onClick={() => window.print()} />
    </span>
  );
}

function SpecialtyFilter({
  specialties,
  selected,
  onChange,
}: {
  specialties: readonly Specialty[];
  selected: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const { t } = useTranslation('timeline');
  const { t: app } = useTranslation();
  const formats = useFormats();
  const specialtyName = useSpecialtyName();
  const options = specialties.map(({ value, label, count }) => ({
    value,
    label: value === '__blank__' ? t('no_specialty') : specialtyName(label),
    note: formats.count(count),
  }));
  const [first] = selected;
  const name = options.find((option) => option.value === first)?.label ?? t('specialty');
  const text = selected.length > 1 ? app('filter.and_more', { first: name, count: selected.length - 1 }) : name;
  const chip = (
    <Popover label={t('specialty')} trigger={<Chip isOn={selected.length > 0}>{text}</Chip>}>
      <OptionList
        label={t('specialty')}
        placeholder={t('find_specialty')}
        emptyText={t('nothing')}
        options={options}
        selected={selected}
        onChoose={(value) =>
          onChange(selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value])
        }
      />
    </Popover>
  );
  return selected.length > 0 ? (
    <RemovableChip removeLabel={app('filter.remove', { name: t('specialty') })} onRemove={() => onChange([])}>
      {chip}
    </RemovableChip>
  ) : (
    chip
  );
}
