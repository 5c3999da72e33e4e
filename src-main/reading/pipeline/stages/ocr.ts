import { stage } from '../stage.ts';

/** Reads the page texts: the text layer if it is reliable, OCR otherwise. */
export const ocr = stage({
  name: 'ocr',
  version: 1,
  needs: ['document'],
  makes: ['reading'],
  async run({ document }, tools) {
    const answer = await tools.readFile(document);
    return answer.ok ? { ...answer, value: { reading: answer.value } } : answer;
  },
});
