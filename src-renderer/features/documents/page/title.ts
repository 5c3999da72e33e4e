import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { documentName } from '../../../client/document-name.ts';

type Named = Pick<
  DocumentDetail,
  'title' | 'doc_type' | 'original_filename' | 'facility_name' | 'specialty_display' | 'specialty_canonical_display'
>;

/** The title of a document: its subject, otherwise "Invoice: Northgate Clinic", otherwise its file name. */
export function titleOf(document: Named, typeName: (type: Named['doc_type']) => string): string {
  if (document.title !== null || document.doc_type === null) return documentName(document);
  const beside = document.specialty_canonical_display ?? document.specialty_display ?? document.facility_name;
  return [typeName(document.doc_type), beside].filter(Boolean).join(': ');
}
