import { stage } from '../stage.ts';

/** Page texts: the text layer where it is good, else optical recognition. */
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
