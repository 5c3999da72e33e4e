import { stage } from '../stage.ts';

/** Files with more pages are read section by section. */
export const LONG_FILE_PAGES = 5;

/** Determines the kind of each page of a long file, as sections. */
export const pageClassification = stage({
  name: 'page_classification',
  version: 1,
  needs: ['document', 'reading'],
  makes: ['overview'],
  skip: ({ reading }) => (reading.pages.length > LONG_FILE_PAGES ? null : { overview: null }),
  async run({ document, reading }, tools) {
    const answer = await tools.extract(reading.pages, document.context, { isOverview: true });
    return answer.ok ? { ...answer, value: { overview: answer.value } } : answer;
  },
});
