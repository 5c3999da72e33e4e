import { stage } from '../stage.ts';

/**
 * Reads pages by their pictures. Their words are read as well, because a value counts only where it is printed, and the
 * text is searched.
 */
export const visionExtraction = stage({
  name: 'vision_extraction',
  version: 2,
  needs: ['document'],
  makes: ['reading', 'overview', 'parts'],
  async run({ document }, tools) {
    const words = await tools.readFile(document);
    if (!words.ok) return words;
    const seen = await tools.see(words.value.pages, document);
    return seen.ok ? { ...seen, value: { reading: words.value, overview: seen.value, parts: [] } } : seen;
  },
});
