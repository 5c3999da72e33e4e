import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';

/** What the document is about, as its summary says it ("Medicines: Metformin 500 mg."); else the file's name. */
export function titleOf({ summary_en: summary, original_filename: name }: Pick<DocumentListItem, 'summary_en' | 'original_filename'>): string {
  return /(?:Diagnoses|Medicines|Vaccinations|outside their range): (.+?)\.(?=\s\p{Lu}|\s\d|$)/u.exec(summary ?? '')?.[1] ?? name;
}
