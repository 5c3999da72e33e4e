import type { LabPoint } from '../../../src-shared/contract/labs.ts';

/** Two values of one measurement differ only by rounding: 5.0 mmol/L and 91 mg/dL. */
const MAX_ROUNDING_ERROR = 0.02;

/**
 * Merges results that one report prints in two units (HbA1c in % and mmol/mol, glucose in mmol/L and mg/dL): the result
 * in the unit of the series is shown and lists the other. Two results in the same unit are two measurements.
 */
export function mergeDualUnitResults(points: readonly LabPoint[], unit: string | null): LabPoint[] {
  const ofReports = points.filter((point) => point.document_id !== null);
  const groups = Map.groupBy(ofReports, (point) => `${point.document_id} ${point.date}`);
  const replacements = new Map<LabPoint, LabPoint[]>();
  for (const group of groups.values())
    for (const [point, result] of mergeReport(group, unit)) replacements.set(point, result);
  return points.flatMap((point) => replacements.get(point) ?? [point]);
}

/** Maps each point of a report to the point that replaces it, or to none if another point lists it. */
function mergeReport(group: readonly LabPoint[], unit: string | null): Map<LabPoint, LabPoint[]> {
  // The value printed in the unit of the series is the most exact.
  const ordered = [...group].sort(
    (a, b) =>
      Number(b.original.unit === unit) - Number(a.original.unit === unit) || Number(a.converted) - Number(b.converted),
  );
  const replacements = new Map<LabPoint, LabPoint[]>();
  for (const point of ordered) {
    if (replacements.has(point)) continue;
    const others = samePrintsOf(
      point,
      ordered.filter((other) => !replacements.has(other)),
    );
    for (const other of others) replacements.set(other, []);
    const also_printed = others.map(({ id, original: { value_text, unit: own } }) => ({ id, value_text, unit: own }));
    replacements.set(point, [{ ...point, also_printed }]);
  }
  return replacements;
}

/** Finds the values of a measurement in other units: the nearest value for each unit. */
function samePrintsOf(point: LabPoint, others: readonly LabPoint[]): LabPoint[] {
  const sameValue = others.filter(
    (other) =>
      other.original.unit !== point.original.unit &&
      other.comparator === point.comparator &&
      Math.abs(other.value - point.value) <= MAX_ROUNDING_ERROR * Math.abs(point.value),
  );
  const distance = (other: LabPoint): number => Math.abs(other.value - point.value);
  return [...Map.groupBy(sameValue, (other) => other.original.unit).values()].flatMap((own) =>
    own.sort((a, b) => distance(a) - distance(b)).slice(0, 1),
  );
}
