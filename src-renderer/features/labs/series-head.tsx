import { Download, GitCompareArrows, Image, Sheet } from 'lucide-react';
import { useState } from 'react';
import type { LabSeries, LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, RemovableChip, Tag } from '../../ui/chip.tsx';
import { OptionList } from '../../ui/combobox.tsx';
import { Select, Segments } from '../../ui/field.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { FLAG_SIGNS } from '../../client/lab-text.ts';
import { nameOf } from './groups.ts';
import type { LabLabels } from './labels.ts';

const SPANS = ['all', '5', '1'] as const;
export type Span = (typeof SPANS)[number];
export const spanOf = (text: string | undefined): Span => SPANS.find((span) => span === text) ?? 'all';

interface Props {
  series: LabSeries;
  other: LabSeries | undefined;
  items: readonly LabSummaryItem[];
  labels: LabLabels;
  span: Span;
  showNotes: boolean;
  onCompare: (key: string | undefined) => void;
  onUnit: (unit: string | undefined) => void;
  onSpan: (span: Span) => void;
  onNotes: (show: boolean) => void;
  onCsv: () => void;
  onPng: () => void;
}

/** The head of a trend: test, last value, and the tools of the chart. */
export function SeriesHead({
  series,
  other,
  items,
  labels,
  span,
  showNotes,
  onCompare,
  onUnit,
  onSpan,
  onNotes,
  onCsv,
  onPng,
}: Props) {
  const { t, language } = labels;
  const { test, points } = series;
  const units = series.units.filter((unit) => unit.converts);
  return (
    <header className="lab-head">
      <div className="lab-title">
        <TestTitle series={series} labels={labels} />
        <span className="lab-actions">
          <ComparePicker series={series} other={other} items={items} labels={labels} onCompare={onCompare} />
          <ExportMenu labels={labels} canDraw={points.length > 0} onCsv={onCsv} onPng={onPng} />
        </span>
      </div>
      <div className="lab-tools">
        {points.length > 0 && <SpanChoice labels={labels} span={span} onSpan={onSpan} />}
        {units.length > 1 && (
          <Select
            className="lab-unit"
            aria-label={t('unit_of', { name: nameOf(test, language) })}
            value={series.unit ?? ''}
            options={units.map(({ unit }) => ({ value: unit, label: unit }))}
            onChange={(event) => onUnit(event.target.value)}
          />
        )}
        {series.events.length + series.medications.length > 0 && (
          <Chip isOn={showNotes} aria-pressed={showNotes} onClick={() => onNotes(!showNotes)}>
            {t('notes')}
          </Chip>
        )}
        {other && <Legend series={series} other={other} labels={labels} onRemove={() => onCompare(undefined)} />}
      </div>
    </header>
  );
}

/** Name and code of the test, with the flag of its last value. */
function TestTitle({ series: { test, points, apart }, labels }: { series: LabSeries; labels: LabLabels }) {
  const { t, language } = labels;
  const last = points.at(-1);
  const laboratories = new Set(points.flatMap((point) => point.laboratory ?? [])).size;
  const facts = [
    test.loinc_code && t('loinc', { code: test.loinc_code }),
    t('results', { count: points.length + apart.length }),
    laboratories > 0 && t('laboratories', { count: laboratories }),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <div>
      <div className="lab-name">
        <h1>{nameOf(test, language)}</h1>
        {last?.flag && (
          <Tag tone={last.flag === 'low' ? 'low' : 'high'}>
            {last.flag !== 'abnormal' && `${FLAG_SIGNS[last.flag]} `}
            {labels.flag(last.flag)}
          </Tag>
        )}
      </div>
      <span className="cap num">{facts}</span>
    </div>
  );
}

function ComparePicker({
  series: { test },
  other,
  items,
  labels: { t, language },
  onCompare,
}: Pick<Props, 'series' | 'other' | 'items' | 'labels' | 'onCompare'>) {
  const [isOpen, setIsOpen] = useState(false);
  const options = items
    .filter((item) => item.key !== test.key && item.series.length > 0)
    .map((item) => ({ value: item.key, label: nameOf(item, language), note: item.last.unit ?? '' }));
  const choose = (key: string): void => {
    setIsOpen(false);
    onCompare(key);
  };
  return (
    <Popover
      label={t('compare_with')}
      align="end"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button glyph={GitCompareArrows} aria-pressed={other !== undefined}>
          {t('compare')}
        </Button>
      }
    >
      <OptionList
        label={t('compare_with')}
        placeholder={t('search')}
        emptyText={t('compare_none')}
        options={options}
        selected={other ? [other.test.key] : []}
        onChoose={choose}
      />
    </Popover>
  );
}

function ExportMenu({
  labels: { t },
  canDraw,
  onCsv,
  onPng,
}: Pick<Props, 'labels' | 'onCsv' | 'onPng'> & { canDraw: boolean }) {
  return (
    <Menu trigger={<Button glyph={Download}>{t('export')}</Button>}>
      <MenuItem glyph={Sheet} onSelect={onCsv}>
        {t('export_csv')}
      </MenuItem>
      <MenuItem glyph={Image} disabled={!canDraw} onSelect={onPng}>
        {t('export_png')}
      </MenuItem>
    </Menu>
  );
}

function SpanChoice({ labels: { t }, span, onSpan }: Pick<Props, 'labels' | 'span' | 'onSpan'>) {
  return (
    <Segments
      label={t('span')}
      value={span}
      options={SPANS.map((value) => ({
        value,
        label: value === 'all' ? t('span_all') : t('span_years', { count: Number(value) }),
      }))}
      onChange={onSpan}
    />
  );
}

/** The two compared tests with their colors and last values. */
function Legend({
  series,
  other,
  labels,
  onRemove,
}: {
  series: LabSeries;
  other: LabSeries;
  labels: LabLabels;
  onRemove: () => void;
}) {
  const { t, language } = labels;
  return (
    <span className="lab-legend">
      <span className="row">
        <i className="lab-key" data-series="1" />
        {nameOf(series.test, language)} <LastOf series={series} labels={labels} />
      </span>
      <RemovableChip removeLabel={t('no_compare', { name: nameOf(other.test, language) })} onRemove={onRemove}>
        <span className="chip chip-on">
          <i className="lab-key" data-series="2" />
          {nameOf(other.test, language)} <LastOf series={other} labels={labels} />
        </span>
      </RemovableChip>
    </span>
  );
}

function LastOf({ series, labels }: { series: LabSeries; labels: LabLabels }) {
  const last = series.points.at(-1);
  return (
    <span className="num">
      {last && labels.point(last)}
      {series.unit && `\u202f${series.unit}`}
    </span>
  );
}
