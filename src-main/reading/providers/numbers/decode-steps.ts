import type { ReadNumber } from './requests.ts';

/**
 * The text of a recognizer's answer (connectionist temporal classification): the likeliest character of each step, where
 * class 0 is none and repeated steps are one character. `scores` has `steps` rows of `classes` likelihoods, 0 to 1.
 */
export function decodeSteps(
  scores: Float32Array,
  { steps, classes }: { steps: number; classes: number },
  characters: readonly string[],
): ReadNumber {
  let text = '',
    confidence = 1,
    previous = 0;
  for (let step = 0; step < steps; step += 1) {
    const row = scores.subarray(step * classes, (step + 1) * classes);
    const best = indexOfLargest(row);
    if (best !== 0 && best !== previous) {
      text += characters[best - 1] ?? '';
      confidence = Math.min(confidence, row[best] ?? 0);
    }
    previous = best;
  }
  return { text: text.trim(), confidence: text === '' ? 0 : confidence };
}

function indexOfLargest(row: Float32Array): number {
  let best = 0;
  for (let index = 1; index < row.length; index += 1) if ((row[index] ?? 0) > (row[best] ?? 0)) best = index;
  return best;
}
