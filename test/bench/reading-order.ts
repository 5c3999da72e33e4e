/** What a laboratory row is paired by. */
interface DatedRow {
  test_name_original: string;
  test_date: string | null;
}

/**
 * Puts rows of one name into the order in which the truth lists their days. The scorer pairs rows by their names alone,
 * so that in reports with several days the order would decide, which is not what was read.
 */
export function inOrderOfDays<Row extends DatedRow>(truth: readonly DatedRow[], read: readonly Row[]): Row[] {
  const ordered = [...read];
  for (const name of new Set(read.map((row) => row.test_name_original))) {
    const places = ordered.flatMap((row, index) => (row.test_name_original === name ? [index] : []));
    const days = daysOf(truth, name);
    const rank = ({ test_date: day }: Row): number => {
      const at = days.indexOf(day);
      return at < 0 ? days.length : at;
    };
    const rows = places.flatMap((index) => ordered[index] ?? []).toSorted((a, b) => rank(a) - rank(b));
    rows.forEach((row, i) => {
      const place = places[i];
      if (place !== undefined) ordered[place] = row;
    });
  }
  return ordered;
}

/** Days of a test in the order of the truth; of a name that it does not have, those of the name with the most days. */
function daysOf(truth: readonly DatedRow[], name: string): (string | null)[] {
  const byName = new Map<string, (string | null)[]>();
  for (const { test_name_original: test, test_date: day } of truth)
    byName.set(test, [...(byName.get(test) ?? []), day]);
  return byName.get(name) ?? [...byName.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}
