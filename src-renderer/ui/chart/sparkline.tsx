/** Draws the values of one test, oldest first, with the last point marked. Decorative: the values are shown as text. */
export function Sparkline({
  values,
  flag = null,
  width = 80,
  height = 22,
}: {
  values: readonly number[];
  flag?: 'high' | 'low' | null;
  width?: number;
  height?: number;
}) {
  const last = values.at(-1);
  if (last === undefined || values.length < 2) return <svg width={width} height={height} aria-hidden="true" />;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (index: number) => 3 + (index * (width - 8)) / (values.length - 1);
  const y = (value: number) => height - 4 - ((value - low) / span) * (height - 8);
  return (
    <svg width={width} height={height} aria-hidden="true">
      <polyline
        points={values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth="1.3"
      />
      <circle cx={x(values.length - 1)} cy={y(last)} r="2.4" fill={flag ? `var(--${flag})` : 'var(--s1)'} />
    </svg>
  );
}
