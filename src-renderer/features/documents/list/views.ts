import type { ListSearch } from './queries.ts';

/** A list that is looked at again and again: its filters and order under a name. Whose record is shown stays as it is. */
export interface View {
  name: string;
  search: ListSearch;
}

/** Reads the kept views; what cannot be understood is left out. */
export function viewsFrom(filters: string | null): View[] {
  try {
    const list: unknown = JSON.parse(filters ?? '[]');
    return Array.isArray(list) ? list.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is View {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('search' in value)) return false;
  return (
    typeof value.name === 'string' &&
    typeof value.search === 'object' &&
    value.search !== null &&
    Object.values(value.search).every((part) => typeof part === 'string')
  );
}

/** The views with this one; a view of the same name is replaced. */
export function withView(
  views: readonly View[],
  name: string,
  { patient: _patient, preview: _preview, ...search }: ListSearch,
): View[] {
  const filters = Object.fromEntries(Object.entries(search).filter(([, value]) => value));
  return [...views.filter((view) => view.name !== name), { name, search: filters }].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
}
