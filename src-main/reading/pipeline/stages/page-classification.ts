import { combineSections } from '../../extraction/sections/combine-sections.ts';
import { stage } from '../stage.ts';

/** Files with more pages are read section by section. */
export const LONG_FILE_PAGES = 5;

/** Determines the kind of each page of a long file, as sections: by the titles on them, and by the model that reads. */
export const pageClassification = stage({
  name: 'page_classification',
  version: 2,
  needs: ['document', 'reading'],
  makes: ['overview'],
  skip: ({ reading }) => (reading.pages.length > LONG_FILE_PAGES ? null : { overview: null }),
  async run({ document, reading }, tools) {
    const answer = await tools.extract(reading.pages, document.context, { isOverview: true });
    if (!answer.ok) return answer;
    const kinds = await tools.classifyPages(reading.pages);
    if (tools.signal.aborted) return { ok: false, reason: 'cancelled', code: 'reading.cancelled' };
    return {
      ok: true,
      value: { overview: { ...answer.value, sections: combineSections(answer.value.sections, kinds) } },
    };
  },
});
