import { useTranslation } from 'react-i18next';
import type { TimelineSpan } from '../../../src-shared/contract/timeline.ts';
import { classNames } from '../../ui/class-names.ts';
import { colorOf } from './colors.ts';
import type { PlacedEvent } from './lanes.ts';
import { MarkRow, tabStop } from './roving.tsx';
import { useEventLabels } from './labels.ts';

const LANE_HEIGHT = 32;
const MIN_LANES = 2;

/** Events as bars in lanes. */
export function EventRow({
  placed,
  lanes,
  selected,
  minLanes = MIN_LANES,
  onSelect,
}: {
  placed: readonly PlacedEvent[];
  lanes: number;
  selected: number | null;
  minLanes?: number;
  onSelect: (event: TimelineSpan) => void;
}) {
  const { t } = useTranslation('timeline');
  const labels = useEventLabels();
  const keys = placed.map(({ event }) => event.id);
  return (
    <MarkRow label={t('events')} height={Math.max(minLanes, lanes) * LANE_HEIGHT + 6} className="tl-events">
      {(current) =>
        placed.map(({ event, lane, x, width, title, room }) => (
          <button
            key={event.id}
            type="button"
            data-key={event.id}
            tabIndex={tabStop(keys, current) === event.id ? 0 : -1}
            aria-pressed={selected === event.id}
            className={classNames(
              'tl-event',
              title !== 'inside' && 'tl-beside',
              title === 'before' && 'tl-before',
              event.is_ongoing && 'tl-ongoing',
            )}
            style={
              {
                left: x,
                top: lane * LANE_HEIGHT + 4,
                width,
                '--room': `${room}px`,
                '--mark': colorOf(event.color, event.event_type),
              } as React.CSSProperties
            }
            title={`${event.title} · ${labels.when(event)}`}
            onClick={() => onSelect(event)}
          >
            <span className="tl-title">{event.title}</span>
            <span className="sr-only">
              , {labels.type(event.event_type)}, {labels.when(event)}
            </span>
          </button>
        ))
      }
    </MarkRow>
  );
}
