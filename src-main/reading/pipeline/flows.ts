import { flow, type Flow } from './flow.ts';
import { extraction } from './stages/extraction.ts';
import { ocr } from './stages/ocr.ts';
import { organizing } from './stages/organizing.ts';
import { pageClassification } from './stages/page-classification.ts';
import { sectionExtraction } from './stages/section-extraction.ts';
import { thumbnail } from './stages/thumbnail.ts';
import { visionExtraction } from './stages/vision-extraction.ts';

/** Modes of the API's reprocess body; an upload uses `both`. */
export type ReadMode = 'ocr' | 'llm' | 'both' | 'vision_llm';

/** The stages of each mode. Page classification and sections are skipped for files of up to five pages. */
export const FLOWS = {
  both: flow(['document'], [ocr, pageClassification, sectionExtraction, extraction, organizing, thumbnail]),
  ocr: flow(['document'], [ocr, thumbnail]),
  llm: flow(['document', 'reading'], [pageClassification, sectionExtraction, extraction, organizing]),
  vision_llm: flow(['document'], [visionExtraction, extraction, organizing, thumbnail]),
} as const satisfies Record<ReadMode, Flow>;
