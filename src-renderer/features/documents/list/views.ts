import type { ListSearch } from '../../../client/document-list.ts';

/** A saved view: filters and order under a name. It does not include the patient. */
export interface View {
  name: string;
  search: ListSearch;
}

/** Parses stored views; skips invalid ones. */
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

/** Adds a view; replaces one of the same name. */
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
