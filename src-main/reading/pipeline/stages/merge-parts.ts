import type { Extraction, FoundRow } from '../../extraction/extraction.ts';

/** What makes two rows of a kind the same: their printed content. */
const contentOf = (row: FoundRow): string => {
  const { confidence: _confidence, place: _place, ...content } = row;
  return JSON.stringify(content).toLowerCase();
};

/** Rows that are at the same place were read twice from the same print. */
const placeOf = (row: FoundRow): string | null =>
  row.place && `${row.place.page} ${row.place.bbox.map((share) => share.toFixed(3)).join(' ')}`;

/**
 * All rows once, in order of their pages. Equal content counts as the same row only where one of the two has no place
 * or the page is the same.
 */
function mergeRows<Row extends FoundRow>(lists: readonly (readonly Row[])[]): Row[] {
  const places = new Set<string>();
  const contents = new Map<string, Row>();
  const merged: Row[] = [];
  for (const row of lists.flat()) {
    const place = placeOf(row);
    const same = contents.get(contentOf(row));
    if (place !== null && places.has(place)) continue;
    if (same && (row.place === null || same.place === null || row.place.page === same.place.page)) continue;
    if (place !== null) places.add(place);
    contents.set(contentOf(row), row);
    merged.push(row);
  }
  return merged.sort((a, b) => (a.place?.page ?? 0) - (b.place?.page ?? 0));
}

/** One extraction of a long file: fields as the whole says, rows of the whole and of each section, each once. */
export function mergeParts(overview: Extraction, parts: readonly Extraction[]): Extraction {
  const all = [overview, ...parts];
  return {
    ...overview,
    diagnoses: mergeRows(all.map((part) => part.diagnoses)),
    lab_results: mergeRows(all.map((part) => part.lab_results)),
    medications: mergeRows(all.map((part) => part.medications)),
    vaccinations: mergeRows(all.map((part) => part.vaccinations)),
    invoice_items: mergeRows(all.map((part) => part.invoice_items)),
  };
}
