import type { Extraction } from '../../extraction/extraction.ts';
import { stage } from '../stage.ts';

/** Reads each section of a long file separately, because rows are missed when many pages are read at once. */
export const sectionExtraction = stage({
  name: 'section_extraction',
  version: 1,
  needs: ['document', 'reading', 'overview'],
  makes: ['parts'],
  skip: ({ overview }) => (overview === null ? { parts: [] } : null),
  async run({ document, reading, overview }, tools) {
    const parts: Extraction[] = [];
    for (const section of overview?.sections ?? []) {
      if (tools.signal.aborted) return { ok: false, reason: 'cancelled', code: 'reading.cancelled' };
      const pages = reading.pages.filter((page) => page.page >= section.page_start && page.page <= section.page_end);
      const answer = await tools.extract(pages, document.context);
      if (!answer.ok) return answer;
      parts.push(answer.value);
      tools.progress(section.page_end, reading.pages.length);
    }
    return { ok: true, value: { parts } };
  },
});
