import { createPhraseFinder } from '../languages/phrases.ts';
import { loadWords } from '../../knowledge/words.ts';

/** Columns of laboratory tables; `lab-columns.tsv` contains their headings. */
const LAB_COLUMNS = ['test', 'value', 'unit', 'range', 'low', 'high', 'flag', 'previous', 'other'] as const;

export type LabColumn = (typeof LAB_COLUMNS)[number];

export const findLabHeadings = createPhraseFinder(loadWords('lab-columns', LAB_COLUMNS));
