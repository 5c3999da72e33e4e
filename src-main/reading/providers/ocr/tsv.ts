import type { OcrAnswer, PageImage } from '../provider.ts';
import { toWords, type RawWord } from './ocr-words.ts';

/**
 * Columns of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 * Level 5 is a word.
 */
export function parseTsv(tsv: string, image: Pick<PageImage, 'width' | 'height'>): OcrAnswer {
  const raw = tsv.split('\n').flatMap((line): RawWord[] => {
    const columns = line.split('\t');
    if (columns[0] !== '5') return [];
    const [left, top, width, height, confidence] = columns.slice(6, 11).map(Number);
    return [
      {
        left: left ?? 0,
        top: top ?? 0,
        width: width ?? 0,
        height: height ?? 0,
        confidence: confidence ?? 0,
        text: columns[11] ?? '',
      },
    ];
  });
  return { words: toWords(raw, image) };
}
