import { stage } from '../stage.ts';
import { mergeParts } from './merge-parts.ts';

/** Fields and rows. A long file was read before, whole and by sections; here the results become one. */
export const llmExtraction = stage({
  name: 'llm_extraction',
  version: 1,
  needs: ['document', 'reading', 'overview', 'parts'],
  makes: ['extraction'],
  async run({ document, reading, overview, parts }, tools) {
    if (overview !== null) return { ok: true, value: { extraction: mergeParts(overview, parts) } };
    const answer = await tools.extract(reading.pages, document.context);
    return answer.ok ? { ...answer, value: { extraction: answer.value } } : answer;
  },
});
