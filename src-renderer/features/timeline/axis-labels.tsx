import { useFormats } from '../../client/format.ts';
import { xOf, type Span, type Tick } from './axis.ts';

/** Further left than this a label is out of sight. */
const LABEL_PX = 40;
/** The year in front covers so much. */
const YEAR_PX = 40;

/** Years, months and days along the axis; the first line of each is labelled in full. The chart's name says the same. */
export function Axis({ ticks, span, width }: { ticks: readonly Tick[]; span: Span; width: number }) {
  const { locale } = useFormats();
  const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
  const labelled = ticks.filter(
    (tick) => tick.labelled && xOf(tick.day, span, width) > -LABEL_PX && xOf(tick.day, span, width) < width - LABEL_PX,
  );
  // Between years the reader must still know which year it is.
  const [first] = labelled;
  const year = first && first.level !== 'year' && first.level !== 'decade' ? first.date.slice(0, 4) : null;
  const textOf = ({ level, date }: Tick): string => {
    if (level === 'day') return String(Number(date.slice(8)));
    return level === 'month' ? month.format(Date.UTC(2000, Number(date.slice(5, 7)) - 1, 1)) : date.slice(0, 4);
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
    </div>
  );
}
