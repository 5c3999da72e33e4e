/** Draws the outline of a phone or a tablet. */
export function DeviceOutline({ model }: { model: string | null }) {
  const isTablet = model?.startsWith('iPad') ?? false;
  const [width, height] = isTablet ? [54, 72] : [38, 76];
  return (
    <svg className="phone-outline" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <rect
        x="1"
        y="1"
        width={width - 2}
        height={height - 2}
        rx={isTablet ? 5 : 8}
        fill="var(--sunken)"
        stroke="var(--ink-3)"
        strokeWidth="1.4"
      />
      {isTablet ? (
        <circle cx={width / 2} cy="5" r="1" fill="var(--ink-3)" />
      ) : (
        <rect x={width / 2 - 5} y="5" width="10" height="3" rx="1.5" fill="var(--ink-3)" />
      )}
      <rect x={width / 2 - 6} y={height - 6} width="12" height="1.4" rx=".7" fill="var(--line-control)" />
    </svg>
  );
}
