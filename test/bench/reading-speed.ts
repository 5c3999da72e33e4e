import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { systemClock } from '../../src-main/platform/kernel/clock.ts';
import { createLargeWork } from '../../src-main/platform/kernel/large-work.ts';
import { createBuiltinOcr } from '../../src-main/reading/providers/ocr/builtin.ts';
import { createTesseractCli } from '../../src-main/reading/providers/ocr/tesseract-cli.ts';
import { createReading } from '../../src-main/reading/providers/page/reading.ts';
import type { OcrProvider } from '../../src-main/reading/providers/provider.ts';

const MODEL = 'eng';
const DIGITAL_COPIES = 12;

/**
 * Pages a minute of each engine through *read*, beside one process of the native program on the same pages in the same
 * run.
 */
export async function measureSpeed(documents: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-speed-'));
  const reading = createReading({
    clock: systemClock,
    largeWork: createLargeWork(),
    limits: { maxPages: 2000, maxPixels: 2e8 },
    idleMs: 5000,
  });
  try {
    const scans = readdirSync(documents)
      .filter((file) => file.endsWith('.pdf'))
      .map((file) => readFileSync(join(documents, file)));
    const scanned = await together(scans, (texts) => texts === 0);
    const path = join(folder, 'scans.pdf');
    writeFileSync(path, scanned.bytes);
    const native = nativePagesPerMinute(path, folder);
    process.stdout.write(
      `${scanned.pages} scanned pages; one process of tesseract: ${native.toFixed(1)} pages a minute\n`,
    );
    for (const ocr of [createBuiltinOcr({ clock: systemClock, idleMs: 5000 }), createTesseractCli()]) {
      const own = await pagesPerMinute(reading, ocr, path);
      process.stdout.write(`${ocr.type}: ${own.toFixed(1)} pages a minute, ratio ${(own / native).toFixed(2)}\n`);
      await ocr.close();
    }
    const digital = await together(Array.from({ length: DIGITAL_COPIES }, () => scans).flat(), (texts) => texts > 0);
    const digitalPath = join(folder, 'digital.pdf');
    writeFileSync(digitalPath, digital.bytes);
    const perMinute = await pagesPerMinute(reading, createTesseractCli(), digitalPath);
    process.stdout.write(`${digital.pages} born-digital pages: ${(perMinute / 60).toFixed(1)} pages a second\n`);
  } finally {
    await reading.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One PDF of all pages whose number of fonts satisfies the condition: a scan has none. */
async function together(
  files: Buffer[],
  wanted: (fonts: number) => boolean,
): Promise<{ bytes: Uint8Array; pages: number }> {
  const joined = await PDFDocument.create();
  for (const file of files) {
    const source = await PDFDocument.load(file);
    const indices = source
      .getPages()
      .flatMap((page, i) => (wanted(String(page.node.Resources() ?? '').includes('/Font') ? 1 : 0) ? [i] : []));
    for (const page of await joined.copyPages(source, indices)) joined.addPage(page);
  }
  return { bytes: await joined.save(), pages: joined.getPageCount() };
}

async function pagesPerMinute(
  reading: ReturnType<typeof createReading>,
  ocr: OcrProvider,
  path: string,
): Promise<number> {
  const start = performance.now();
  const answer = await reading.readFile(
    { path, mime: 'application/pdf', turns: {} },
    { ocr, signal: new AbortController().signal, onPage: () => undefined },
  );
  if (!answer.ok) throw new Error(answer.code);
  return answer.value.pages.length / ((performance.now() - start) / 60_000);
}

/** The program alone: pages drawn at 300 dpi beforehand, then one process that reads them one after the other. */
function nativePagesPerMinute(path: string, folder: string): number {
  spawnSync('pdftoppm', ['-r', '300', '-gray', path, join(folder, 'page')]);
  const pages = readdirSync(folder)
    .filter((file) => file.startsWith('page'))
    .sort();
  writeFileSync(join(folder, 'list.txt'), pages.map((page) => join(folder, page)).join('\n'));
  const start = performance.now();
  const { status } = spawnSync('tesseract', [join(folder, 'list.txt'), join(folder, 'out'), '-l', MODEL, 'tsv'], {
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
  });
  if (status !== 0) throw new Error('the tesseract program is needed as the peer of this measurement');
  return pages.length / ((performance.now() - start) / 60_000);
}
