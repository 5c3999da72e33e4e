/** The selection after a click on `id`: that row turned over, and with an anchor among the rows all between them alike. */
export function chosen(
  before: ReadonlySet<number>,
  ids: readonly number[],
  { id, anchor }: { id: number; anchor: number | null },
): ReadonlySet<number> {
  const next = new Set(before);
  const on = !before.has(id);
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)].sort((a, b) => a - b) as [number, number];
  for (const row of from < 0 ? [id] : ids.slice(from, to + 1)) {
    if (on) next.add(row);
    else next.delete(row);
  }
  return next;
}
