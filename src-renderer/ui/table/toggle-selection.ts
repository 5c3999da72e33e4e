/**
 * The selection after a click on row `id`. Toggles that row; with an anchor, every row between the anchor and `id` gets
 * the new state of `id`.
 */
export function toggleSelection(
  before: ReadonlySet<number>,
  ids: readonly number[],
  { id, anchor }: { id: number; anchor: number | null },
): ReadonlySet<number> {
  const next = new Set(before);
  const isAdding = !before.has(id);
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)].sort((a, b) => a - b) as [number, number];
  for (const row of from < 0 ? [id] : ids.slice(from, to + 1)) {
    if (isAdding) next.add(row);
    else next.delete(row);
  }
  return next;
}
