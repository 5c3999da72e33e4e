import { LONG_FILE_PAGES, SECTION_TYPES, type SectionType } from '../../../../src-shared/medical/document-type.ts';
import type { FoundSection } from '../extraction.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';
import { loadWords } from '../../knowledge/words.ts';

/** Sections whose titles are in `section-titles.tsv`. */
const TITLED_SECTIONS = SECTION_TYPES.filter((type) => type !== 'other');
const findTitles = createPhraseFinder(loadWords('section-titles', TITLED_SECTIONS));
/** Fraction of the page, from the top, in which a title may be. */
const TITLE_SHARE = 0.32;
const MAX_TITLE_WORDS = 7;

/** The section that starts on a page; null if the page continues the previous one. */
export function typeOfPage(page: LayoutPage): SectionType | null {
  for (const line of page.lines) {
    if (line.y > TITLE_SHARE) break;
    for (const segment of line.segments) {
      if (segment.words.length > MAX_TITLE_WORDS) continue;
      const match = findTitles(tokensOf(segment.words))[0];
      if (match && match.from <= 1) return match.role;
    }
  }
  return null;
}

/**
 * Splits a file of more than five pages into sections: neighboring pages of one kind belong together, and untitled
 * pages belong to the previous section.
 */
export function findSections(layout: Layout): FoundSection[] {
  if (layout.pages.length <= LONG_FILE_PAGES) return [];
  const sections: FoundSection[] = [];
  for (const page of layout.pages) {
    const type = typeOfPage(page);
    const last = sections.at(-1);
    if (last && (type === null || type === last.section_type)) last.page_end = page.page;
    else
      sections.push({
        section_index: sections.length,
        page_start: page.page,
        page_end: page.page,
        section_type: type ?? 'other',
        summary_en: null,
      });
  }
  return sections;
}
