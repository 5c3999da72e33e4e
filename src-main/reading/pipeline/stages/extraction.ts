import { stage } from '../stage.ts';
import { mergeParts } from './merge-parts.ts';

/**
 * Extracts fields and rows, and merges the overview and the sections of a long file. The wire name of the stage is
 * `llm_extraction`; without a language model, the built-in rules (`providers/rules`) do the work.
 */
export const extraction = stage({
  name: 'llm_extraction',
  version: 2,
  needs: ['document', 'reading', 'overview', 'parts'],
  makes: ['extraction'],
  async run({ document, reading, overview, parts }, tools) {
    if (overview !== null)
      return { ok: true, value: { extraction: mergeParts(overview, parts, { arePartsFirst: tools.hasModel }) } };
    const answer = await tools.extract(reading.pages, document.context);
    return answer.ok ? { ...answer, value: { extraction: answer.value } } : answer;
  },
});
