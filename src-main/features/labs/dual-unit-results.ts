import type { LabPoint } from '../../../src-shared/contract/labs.ts';

/** Two prints of one measurement differ by rounding only: 5.0 mmol/L and 91 mg/dL. */
const ROUNDING = 0.02;

/**
 * Joins results that one report prints in two units (HbA1c in % and mmol/mol, glucose in mmol/L and mg/dL): the one in
 * the unit of the series stays and names the other. Two results in one unit are two measurements.
 */
export function mergeDualUnitResults(points: readonly LabPoint[], unit: string | null): LabPoint[] {
  const gone = new Set<LabPoint>(),
    kept = new Map<LabPoint, LabPoint>();
  for (const group of Map.groupBy(
    points.filter((point) => point.document_id !== null),
    (point) => `${point.document_id} ${point.date}`,
  ).values()) {
    if (new Set(group.map((point) => point.original.unit)).size < 2) continue;
    // What was printed in the series' own unit says it most exactly.
    const ordered = [...group].sort(
      (a, b) =>
        Number(b.original.unit === unit) - Number(a.original.unit === unit) ||
        Number(a.converted) - Number(b.converted),
    );
    for (const point of ordered) {
      if (gone.has(point)) continue;
      const seconds = secondsOf(
        point,
        ordered.filter((other) => !gone.has(other) && !kept.has(other)),
      );
      kept.set(
        point,
        seconds.length === 0
          ? point
          : {
              ...point,
              also_printed: seconds.map(({ id, original }) => ({
                id,
                value_text: original.value_text,
                unit: original.unit,
              })),
            },
      );
      for (const second of seconds) gone.add(second);
    }
  }
  return points.flatMap((point) => (gone.has(point) ? [] : [kept.get(point) ?? point]));
}

/** The nearest print of every other unit. */
function secondsOf(point: LabPoint, others: readonly LabPoint[]): LabPoint[] {
  const near = others.filter(
    (other) =>
      other !== point &&
      other.original.unit !== point.original.unit &&
      other.comparator === point.comparator &&
      Math.abs(other.value - point.value) <= ROUNDING * Math.abs(point.value),
  );
  const distance = (other: LabPoint): number => Math.abs(other.value - point.value);
  return [...Map.groupBy(near, (other) => other.original.unit).values()].flatMap(
    (own) => own.sort((a, b) => distance(a) - distance(b))[0] ?? [],
  );
}
