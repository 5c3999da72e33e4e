/** Columns of a table are that far apart. */
const GAP = / {2,}/;
const ENDS_SENTENCE = /[.!?:;]$/;

/**
 * What is spoken without a pause: a sentence that goes on in the next line is one part, and each row of a table is one,
 * with a pause between its columns.
 */
export function spokenParts(text: string): string[] {
  const parts: string[] = [];
  let isGoingOn = false;
  for (const line of text.split('\n').map((one) => one.trim())) {
    const isRow = GAP.test(line);
    const part = line.replaceAll(new RegExp(GAP, 'g'), ', ');
    if (isGoingOn && !isRow && line !== '') parts.push(`${parts.pop()} ${part}`);
    else if (line !== '') parts.push(part);
    isGoingOn = line !== '' && !isRow && !ENDS_SENTENCE.test(line);
  }
  return parts;
}

/** The places of words in a text; any white space between them counts, and capitals don't. */
export function findWords(text: string, words: string): { start: number; end: number }[] {
  const wanted = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(String.raw`\s+`);
  if (wanted === '') return [];
  return [...text.matchAll(new RegExp(wanted, 'giu'))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
