import type { flagOf } from '../../../client/lab-text.ts';
import type { rangeBar } from './result-layout.ts';

const WIDTH = 40;
const HEIGHT = 10;
const COLORS = { high: 'high', low: 'low', abnormal: 'high' } as const;

/** Draws the reference range as a band with the value on it. Decorative: the numbers and the flag are shown as text. */
export function RangeBar({ bar, flag }: { bar: ReturnType<typeof rangeBar>; flag: ReturnType<typeof flagOf> }) {
  if (!bar) return null;
  return (
    <svg className="range-bar" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect x={0} y={4} width={WIDTH} height={2} rx={1} fill="var(--line)" />
      <rect x={bar.from * WIDTH} y={3} width={(bar.to - bar.from) * WIDTH} height={4} rx={2} fill="var(--line-2)" />
      <circle cx={3 + bar.at * (WIDTH - 6)} cy={5} r={3} fill={`var(--${flag === null ? 'ink-2' : COLORS[flag]})`} />
    </svg>
  );
}
