import type { EventType } from '../../../src-shared/contract/events.ts';

/** The colors of events, as they are stored. */
export const EVENT_COLORS = [
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
  'series-7',
  'series-8',
] as const;

const TYPE_COLORS: Record<EventType, (typeof EVENT_COLORS)[number]> = {
  symptom: 'series-2',
  diagnosis: 'series-6',
  hospitalization: 'series-5',
  surgery: 'series-8',
  treatment: 'series-1',
  follow_up: 'series-4',
  emergency: 'series-5',
  pregnancy: 'series-3',
  chronic_condition: 'series-6',
  injury: 'series-2',
  screening: 'series-7',
  other: 'series-1',
};

/** The CSS color of an event; without a stored color, that of its type. */
export function colorOf(color: string | null, type: EventType | null): string {
  if (color !== null && /^#[0-9a-f]{6}$/i.test(color)) return color;
  const series = /^series-([1-8])$/.exec(color ?? '') ?? /^series-([1-8])$/.exec(type ? TYPE_COLORS[type] : '');
  return series ? `var(--s${series[1]})` : 'var(--ink-3)';
}
