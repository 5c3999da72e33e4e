import { flow, type Flow } from './flow.ts';
import { extraction } from './stages/extraction.ts';
import { ocr } from './stages/ocr.ts';
import { organizing } from './stages/organizing.ts';
import { pageClassification } from './stages/page-classification.ts';
import { sectionExtraction } from './stages/section-extraction.ts';
import { thumbnail } from './stages/thumbnail.ts';
import { visionExtraction } from './stages/vision-extraction.ts';

/** Modes of the API's reprocess body; an upload is `both`. */
export type ReadMode = 'ocr' | 'llm' | 'both' | 'vision_llm';

/**
 * Which stages a document passes, by mode. Page classification and sections leave an event only for files of
 * more than five pages; a short file's history does not name them.
 */
export const FLOWS = {
  both: flow(['document'], [ocr, pageClassification, sectionExtraction, extraction, organizing, thumbnail]),
  ocr: flow(['document'], [ocr, thumbnail]),
  llm: flow(['document', 'reading'], [pageClassification, sectionExtraction, extraction, organizing]),
  vision_llm: flow(['document'], [visionExtraction, organizing]),
} as const satisfies Record<ReadMode, Flow>;
