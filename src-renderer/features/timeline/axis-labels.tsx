import { useTranslation } from 'react-i18next';
import { dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { today } from '../../client/clock.ts';
import { useFormats } from '../../client/format.ts';
import { xOf, type Span, type Tick } from './axis.ts';

/** Width of a label in pixels. */
const LABEL_PX = 40;
/** Width of the year at the left edge. */
const YEAR_PX = 40;

/** The edge at which a label has no room on both sides. */
const edgeAt = (x: number, width: number): 'start' | 'end' | undefined => {
  if (x > width - LABEL_PX) return 'end';
  return x < LABEL_PX ? 'start' : undefined;
};

/**
 * Years, months and days along the axis. Hidden from screen readers: the accessible name of the chart has the period.
 */
export function Axis({ ticks, span, width }: { ticks: readonly Tick[]; span: Span; width: number }) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const now = xOf(dayNumber(today()) + 0.5, span, width);
  const labelled = ticks.filter(
    (tick) => tick.hasLabel && xOf(tick.day, span, width) > -LABEL_PX && xOf(tick.day, span, width) < width - LABEL_PX,
  );
  // When zoomed into a year, its number stays visible at the left edge.
  const [first] = labelled;
  const year = first && first.level !== 'year' && first.level !== 'decade' ? first.date.slice(0, 4) : null;
  const textOf = ({ level, date }: Tick): string => {
    if (level === 'day') return String(Number(date.slice(8)));
    return level === 'month' ? formats.month(date) : date.slice(0, 4);
  };
  return (
    <div aria-hidden="true">
      {year && <span className="tl-year num">{year}</span>}
      {labelled
        .filter((tick) => !year || xOf(tick.day, span, width) > YEAR_PX)
        .map((tick) => (
          <span
            key={tick.day}
            className="tl-tick num"
            data-level={tick.level}
            style={{ left: xOf(tick.day, span, width) }}
          >
            {textOf(tick)}
          </span>
        ))}
      {now >= 0 && now <= width && (
        <span className="tl-today" data-at={edgeAt(now, width)} style={{ left: now }}>
          {t('today')}
        </span>
      )}
    </div>
  );
}
