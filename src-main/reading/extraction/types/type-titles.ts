import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { loadWords } from '../../knowledge/words.ts';
import { TYPE_RULES } from './type-rules.ts';

/** Types that have titles. */
export type TitledType = Exclude<DocumentType, 'other'>;
export const TITLED_TYPES = (Object.keys(TYPE_RULES) as DocumentType[]).filter((type) => type !== 'other');

/** Titles of documents by type. */
export const TYPE_TITLES = loadWords('type-titles', TITLED_TYPES);
/** Words in the text of a document that suggest its type. */
export const TYPE_SIGNS = loadWords('type-signs', TITLED_TYPES);
/** Titles of other kinds of documents. */
const OTHER = loadWords('other-titles', ['other', 'request', 'task', 'visit']);
export const OTHER_TITLES = OTHER.other;
/** Sentences that refer a patient to somebody: "Thank you for seeing …". */
export const REFERRAL_REQUESTS = OTHER.request;
/** Sentences that ask the reader to do something, in referrals and in reports: "I would be grateful if you could …". */
export const REFERRAL_TASKS = OTHER.task;
/** Sentences that report a visit: "I reviewed …". */
export const VISIT_SENTENCES = OTHER.visit;
