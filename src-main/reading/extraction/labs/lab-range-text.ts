import type { LabToken } from './lab-tokens.ts';

export const textOfTokens = (tokens: readonly LabToken[]): string => tokens.map((token) => token.text).join(' ');

/** Builds a range whose bounds are in separate columns; either bound may be missing. */
export function rangeOfBounds([low]: readonly LabToken[], [high]: readonly LabToken[]): string | null {
  const bare = (token: LabToken | undefined): string | null =>
    token?.kind === 'number' ? token.text.replace(/^[<>≤≥]=?\s*/, '') : null;
  const [from, to] = [bare(low), bare(high)];
  if (from !== null && to !== null) return `${from} - ${to}`;
  if (to !== null) return `< ${to}`;
  return from === null ? null : `> ${from}`;
}

/** `13.5` and `17.5` in one cell are a range whose dash OCR missed. */
export function rangeText(tokens: readonly LabToken[]): string {
  const [first, second] = tokens;
  const bare = (token: LabToken | undefined): boolean => token?.kind === 'number' && /^[\d.,]+$/.test(token.text);
  const third = tokens[2];
  // `13,5 + 17,5`: OCR misread the dash.
  if (tokens.length === 3 && bare(first) && bare(third) && second && second.text.length === 1)
    return `${first?.text} - ${third?.text}`;
  return tokens.length === 2 && bare(first) && bare(second) ? `${first?.text} - ${second?.text}` : textOfTokens(tokens);
}

/**
 * Two increasing numbers after the value are a range without its dash; one number with a comparator is a complete
 * range.
 */
export function rangeOfRest(numbers: readonly LabToken[]): string | null {
  const [low, high] = numbers;
  if (numbers.length === 2 && low && high && Number(low.text.replace(',', '.')) < Number(high.text.replace(',', '.')))
    return `${low.text} - ${high.text}`;
  return numbers.find((token) => /^[<>≤≥«»‹›]/.test(token.text))?.text ?? null;
}
