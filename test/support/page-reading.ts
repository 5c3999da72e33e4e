import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageText, PageTurn } from '../../src-shared/medical/page.ts';
import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import { createLargeWork } from '../../src-main/platform/kernel/large-work.ts';
import { createBuiltinOcr } from '../../src-main/reading/providers/ocr/builtin.ts';
import { createReading } from '../../src-main/reading/providers/page/reading.ts';

export const LETTER_LINES = [
  'Sehr geehrte Frau Kollegin',
  'wir berichten über unsere gemeinsame Patientin',
  'Elena Keller, geboren am 09.05.1979',
  'Hämoglobin 13.4 g/dL, Ferritin 24 µg/L',
  'Die Patientin stellte sich zur Kontrolle in unserer',
  'Sprechstunde vor und klagte über Müdigkeit.',
  'Wir bitten um eine Kontrolle in drei Monaten.',
];

/** Page threads and OCR over a temporary folder. Images of more than five megapixels are too large. */
export function startPageReading() {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-reading-'));
  const reading = createReading({
    clock: systemClock,
    largeWork: createLargeWork(),
    limits: { maxPages: 20, maxPixels: 5e6 },
    idleMs: 60_000,
  });
  const ocr = createBuiltinOcr({ clock: systemClock, idleMs: 60_000 });
  return {
    reading,
    ocr,
    /** Writes a file and returns its path. */
    file(name: string, bytes: Uint8Array | string): string {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      return path;
    },
    async read(path: string, mime: string, turns: Record<string, PageTurn> = {}) {
      const seen: [number, number][] = [];
      const answer = await reading.readFile(
        { path, mime, turns },
        { ocr, signal: new AbortController().signal, onPage: (current, total) => void seen.push([current, total]) },
      );
      if (!answer.ok) throw new Error(answer.code);
      return { ...answer.value, seen };
    },
    async close(): Promise<void> {
      await Promise.all([reading.close(), ocr.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type PageReading = ReturnType<typeof startPageReading>;

export const wordAt = (page: PageText | undefined, text: string) => page?.words.find((word) => word.text === text);

/** Share of the words of `LETTER_LINES` that the page holds. */
export function recallOf(page: PageText | undefined): number {
  const wanted = LETTER_LINES.flatMap((line) => line.split(/[\s,]+/));
  const found = new Set(page?.words.flatMap((word) => word.text.split(/[\s,]+/)));
  return wanted.filter((word) => found.has(word)).length / wanted.length;
}
