import type { SectionType } from '../../../../src-shared/medical/document-type.ts';
import type { FoundSection } from '../extraction.ts';

/**
 * Splits sections that rules found where a model saw another kind of page. A title that rules read on a page counts
 * more than what the model says of it; pages without one are of the kind that the model says, if it says one.
 */
export function combineSections(
  sections: readonly FoundSection[],
  kinds: ReadonlyMap<number, SectionType>,
): FoundSection[] {
  const combined: FoundSection[] = [];
  for (const section of sections)
    for (let page = section.page_start; page <= section.page_end; page += 1) {
      const isTitled = page === section.page_start && section.section_type !== 'other';
      const section_type = (isTitled ? undefined : kinds.get(page)) ?? section.section_type;
      const last = combined.at(-1);
      if (last?.section_type === section_type) last.page_end = page;
      else
        combined.push({
          ...section,
          ...{ section_index: combined.length, page_start: page, page_end: page, section_type },
        });
    }
  return combined;
}
