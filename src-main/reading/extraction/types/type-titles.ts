import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { loadWords } from '../../knowledge/words.ts';

export type TitledType = Exclude<DocumentType, 'other'>;

const TITLED_TYPES = [
  'lab_test',
  'prescription',
  'vaccination',
  'invoice',
  'discharge',
  'surgical_report',
  'imaging_report',
  'medical_certificate',
  'specialist_report',
] as const satisfies readonly TitledType[];

/** Titles of documents by type. */
export const TYPE_TITLES = loadWords('type-titles', TITLED_TYPES);
/** Words in the body of a document that suggest its type. */
export const TYPE_SIGNS = loadWords('type-signs', TITLED_TYPES);
/** Titles of documents that have no type of their own. */
export const OTHER_TITLES = loadWords('other-titles', ['other']).other;
