import type { Extraction, FoundRow } from '../../extraction/extraction.ts';

/** Two rows of a kind are the same if their printed content is equal. */
const contentOf = (row: FoundRow): string => {
  const { confidence: _confidence, place: _place, ...content } = row;
  return JSON.stringify(content).toLowerCase();
};

/** Rows at the same place were read twice from the same print. */
const placeOf = (row: FoundRow): string | null =>
  row.place && `${row.place.page} ${row.place.bbox.map((share) => share.toFixed(3)).join(' ')}`;

/**
 * Merges rows without duplicates, in page order. Rows with equal content are duplicates only if one of them has no
 * place or both are on the same page.
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

/**
 * Combines the extractions of a long file: the fields of the whole, and the rows of the whole and of each section
 * without duplicates. Of a row that both have, the first counts; with `arePartsFirst` that of the section, which a
 * model read.
 */
export function mergeParts(
  overview: Extraction,
  parts: readonly Extraction[],
  { arePartsFirst = false }: { arePartsFirst?: boolean } = {},
): Extraction {
  const all = arePartsFirst ? [...parts, overview] : [overview, ...parts];
  return {
    ...overview,
    diagnoses: mergeRows(all.map((part) => part.diagnoses)),
    lab_results: mergeRows(all.map((part) => part.lab_results)),
    medications: mergeRows(all.map((part) => part.medications)),
    vaccinations: mergeRows(all.map((part) => part.vaccinations)),
    invoice_items: mergeRows(all.map((part) => part.invoice_items)),
  };
}
