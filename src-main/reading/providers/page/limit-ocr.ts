import type { Clock } from '../../../platform/kernel/clock.ts';
import type { OcrProvider } from '../provider.ts';

/** OCR for one page, which stops after `limitMs` of work in all: the provider then replaces its worker. */
export function limitOcr(
  ocr: OcrProvider,
  clock: Clock,
  limitMs: number,
): { ocr: Pick<OcrProvider, 'readPage'>; isOver(): boolean } {
  let left = limitMs,
    isOver = false;
  return {
    isOver: () => isOver,
    ocr: {
      async readPage(image, options) {
        const limit = new AbortController(),
          end = new AbortController(),
          startedAt = clock.now();
        void clock.sleep(Math.max(1, left), end.signal).then((passed) => {
          if (!passed) return;
          isOver = true;
          limit.abort();
        });
        try {
          return await ocr.readPage(image, { ...options, signal: AbortSignal.any([options.signal, limit.signal]) });
        } finally {
          end.abort();
          left -= clock.now() - startedAt;
        }
      },
    },
  };
}
