import type { FailedOutcome, OcrAnswer, OcrProvider, Outcome, PageImage, PageOptions } from '../provider.ts';

/** One way to read a page. */
export interface OcrLink {
  type: string;
  concurrency: number;
  /** Null if an engine of Hearth itself reads. */
  problem: FailedOutcome | null;
  readPage: OcrProvider['readPage'];
}

export interface OcrChainOptions {
  /** In order of priority; at least one. */
  links: readonly OcrLink[];
  /** Reads details of a page, which are not worth a request. */
  local: Pick<OcrProvider, 'readPage'>;
  /** Mean confidence of the words, 0 to 1, below which the next one reads the page as well. */
  minConfidence: () => number;
  /** Called with the reason when one was passed over. */
  onPassedOver: (failure: FailedOutcome) => void;
}

/**
 * OCR by the first engine that can: after a failure, an empty page or words of low confidence, the next one reads the
 * page, and the words with the highest confidence are used.
 */
export function createOcrChain(options: OcrChainOptions): OcrProvider {
  const { links, local } = options;
  const used = { type: links[0]?.type ?? 'builtin' };
  return {
    get type() {
      return used.type;
    },
    concurrency: Math.max(1, Math.min(...links.map(({ concurrency }) => concurrency))),
    readPage: (image, page) =>
      page.asBlock || page.isProbe ? local.readPage(image, page) : readWithFallback(options, used, image, page),
    close: () => Promise.resolve(),
  };
}

async function readWithFallback(
  { links, minConfidence, onPassedOver }: OcrChainOptions,
  used: { type: string },
  image: PageImage,
  page: PageOptions,
): Promise<Outcome<OcrAnswer>> {
  let best: { answer: Outcome<OcrAnswer> & { ok: true }; confidence: number; type: string } | null = null;
  let failure: FailedOutcome | null = null;
  for (const link of links) {
    const answer = link.problem ?? (await link.readPage(image, page));
    if (page.signal.aborted) return { ok: false, reason: 'cancelled', code: 'reading.cancelled' };
    if (!answer.ok) {
      failure ??= answer;
      onPassedOver(answer);
      continue;
    }
    const confidence = meanConfidence(answer.value);
    if (!best || confidence > best.confidence) best = { answer, confidence, type: link.type };
    if (confidence >= minConfidence()) break;
  }
  if (!best) return failure ?? { ok: false, reason: 'unconfigured', code: 'reading.page_unreadable' };
  used.type = best.type;
  return best.answer;
}

/** Weighted by length; 0 for a page without words. */
function meanConfidence({ words }: OcrAnswer): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return letters ? words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters : 0;
}
