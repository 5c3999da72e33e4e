/** How many laboratory rows of a corpus are wrong and right, and how many of each are marked as doubtful. */
export interface DoubtCount {
  wrong: number;
  wrongMarked: number;
  right: number;
  rightMarked: number;
}

interface LabRow {
  test_name_original: string;
  value: number | null;
  unit: string | null;
  reference_range_low: number | null;
  reference_range_high: number | null;
  is_abnormal: boolean | null;
  test_date: string | null;
  doubt?: readonly string[];
}

/** Raised digits are digits: "m²" is "m2", and "10⁹" is not "10⁶". */
const fold = (text: string | null): string =>
  (text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[µμ]/g, 'u')
    .toLowerCase()
    .replace(/[^a-z0-9%]+/g, ' ')
    .trim();

/** Share of words that two names have in common (Dice), as the scorer of the corpus pairs rows. */
function likeness(a: string, b: string): number {
  const x = new Set(fold(a).split(' ')),
    y = new Set(fold(b).split(' '));
  return (2 * [...x].filter((word) => y.has(word)).length) / (x.size + y.size);
}

const contentOf = (row: LabRow): string =>
  JSON.stringify([
    row.value,
    fold(row.unit).replaceAll(' ', ''),
    row.reference_range_low,
    row.reference_range_high,
    row.is_abnormal === true,
    row.test_date,
  ]);

/** Compares the rows that were read with the true ones; a row without a true one is wrong. */
export function countDoubts(truth: readonly LabRow[], read: readonly LabRow[]): DoubtCount {
  const free = [...read];
  const count: DoubtCount = { wrong: 0, wrongMarked: 0, right: 0, rightMarked: 0 };
  const add = (row: LabRow, isRight: boolean): void => {
    const isMarked = (row.doubt?.length ?? 0) > 0 ? 1 : 0;
    count[isRight ? 'right' : 'wrong'] += 1;
    count[isRight ? 'rightMarked' : 'wrongMarked'] += isMarked;
  };
  for (const row of truth) {
    const likely = free
      .map((other, index) => ({ index, likeness: likeness(other.test_name_original, row.test_name_original) }))
      .filter((other) => other.likeness > 0.5)
      .sort((a, b) => b.likeness - a.likeness || a.index - b.index)[0];
    const [found] = likely ? free.splice(likely.index, 1) : [];
    if (found) add(found, contentOf(found) === contentOf(row));
  }
  for (const row of free) add(row, false);
  return count;
}
