import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../ui/field.tsx';
import { Notice } from '../ui/states.tsx';
import { addressOf, contract } from './api.ts';

const DATES = ['remove', 'shift', 'keep'] as const;
const KEEPABLE = ['keep_descriptions', 'keep_device', 'keep_patient'] as const;

/** Downloads imaging studies as a disc in a ZIP, de-identified on demand. */
export function ExportStudiesDialog({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const { t } = useTranslation('document');
  const [deidentify, setDeidentify] = useState(false);
  const [dates, setDates] = useState<(typeof DATES)[number]>('remove');
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string): void => {
    const next = new Set(kept);
    if (!next.delete(name)) next.add(name);
    setKept(next);
  };
  const flagOf = (name: string): 'true' | 'false' => (deidentify && kept.has(name) ? 'true' : 'false');
  const address = addressOf(contract.imaging.exportStudies, {
    query: {
      ids: ids.join(','),
      deidentify: deidentify ? 'true' : 'false',
      dates,
      keep_descriptions: flagOf('keep_descriptions'),
      keep_device: flagOf('keep_device'),
      keep_patient: flagOf('keep_patient'),
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={t('export_studies')}>
      <div className="stack">
        <p>{t('export_text')}</p>
        <Checkbox
          label={t('export_deidentify')}
          checked={deidentify}
          onChange={(event) => setDeidentify(event.target.checked)}
        />
        {deidentify && (
          <>
            <Field label={t('export_dates')}>
              {(control) => (
                <Select
                  {...control}
                  value={dates}
                  onChange={(event) => setDates(event.target.value as (typeof DATES)[number])}
                  options={DATES.map((value) => ({ value, label: t(`export_dates_${value}`) }))}
                />
              )}
            </Field>
            {KEEPABLE.map((name) => (
              <Checkbox key={name} label={t(`export_${name}`)} checked={kept.has(name)} onChange={() => toggle(name)} />
            ))}
            <Notice tone="warn">{t('export_pixels')}</Notice>
          </>
        )}
        <div className="row">
          <Button className="push" onClick={onClose}>
            {t('action.cancel', { ns: 'app' })}
          </Button>
          <Button
            variant="primary"
            glyph={Download}
            onClick={() => {
              location.assign(address);
              onClose();
            }}
          >
            {t('export_download')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
