import type { Language, PageText, PageTurn, PageWord } from '../../../../src-shared/medical/page.ts';
import { confidenceOf } from '../../extraction/layout/geometry.ts';
import { linesOfPage } from '../../extraction/layout/lines.ts';
import type { OcrAnswer, OcrProvider, Outcome, PageImage } from '../provider.ts';
import type { NumberReader } from '../numbers/number-reader.ts';
import { cropToPrint } from './cutout.ts';
import { readLoneNumbers } from './lone-numbers.ts';
import { lookAgain } from './second-look.ts';
import { readUncertainWords } from './uncertain-words.ts';
import { readUnreadCells } from './unread-cells.ts';
import { findUnrecognizedGlyphs, selectNewWords } from './unrecognized-glyphs.ts';
import { isUniform, type GrayscaleImage } from './prepare/grayscale.ts';
import type { PrepareAnswer } from './requests.ts';

/** A strip of this many rows (of a page of 3400) contains about ten lines of text. */
const STRIP_ROWS = 640;
/** Below this mean confidence the page may be upside down. */
const UPRIGHT_CONFIDENCE = 0.7;
/** Minimum lead in quality of the rotated strip for the page to be considered upside down. */
const TURN_LEAD = 0.08;
const LONG_SIDE_POINTS = 842;
/** A page is read again in another language than that of the strip, if all of it shows that one so clearly. */
const SURE_LANGUAGE = 0.6;

export interface ScanDeps {
  ocr: Pick<OcrProvider, 'readPage'>;
  numbers: Pick<NumberReader, 'readNumbers'>;
  prepare(page: number, turn: PageTurn | null): Promise<PrepareAnswer>;
  signal: AbortSignal;
}

/** The language of a document's scans, detected on its first page, or `wanted` by a user. */
export interface ScanState {
  languages: readonly Language[] | null;
  requestedLanguages?: readonly Language[] | null;
}

const imageOf = ({ data, width, height }: GrayscaleImage): PageImage => ({ pixels: data, width, height });

/** The text of a page with separated columns. */
export const textOf = (page: Omit<PageText, 'text'>): string =>
  linesOfPage(page)
    .map((line) => line.text)
    .join('\n');

/**
 * Reads one scanned page: prepares it, reads a strip to find out which way up it is and (on the first page) its
 * language, and then reads the whole page.
 */
export async function readScan(
  { ocr, numbers, prepare, signal }: ScanDeps,
  page: number,
  requestedTurn: PageTurn | null,
  state: ScanState,
): Promise<Outcome<PageText>> {
  let prepared = await prepare(page, requestedTurn);
  // OCR searches a black page for up to a minute, and the next page shows the language as well.
  if (isUniform(prepared.grayscale)) return { ok: true, value: toPageText(page, prepared, []) };
  const isFirst = state.languages === null;
  if (isFirst) {
    const probe = await probeUpright({ ocr, prepare, signal }, page, prepared, requestedTurn === null);
    if (!probe.ok) return probe;
    prepared = probe.value.prepared;
    state.languages = state.requestedLanguages ?? [probe.value.language];
  }
  const read = async (image: GrayscaleImage): Promise<Outcome<OcrAnswer>> => {
    const { grayscale, onPage } = cropToPrint(image);
    const answer = await ocr.readPage(imageOf(grayscale), { languages: state.languages ?? ['en'], signal });
    return answer.ok ? { ok: true, value: { ...answer.value, words: onPage(answer.value.words) } } : answer;
  };
  let answer = await read(prepared.grayscale);
  if (!answer.ok) return answer;
  // OCR also reads lines that run from top to bottom and then returns vertical words.
  for (const turn of requestedTurn === null && isMostlyVertical(answer.value.words, prepared.grayscale)
    ? ([90, 270] as const)
    : []) {
    const other = await prepare(page, ((prepared.turn + turn) % 360) as PageTurn);
    const again = await read(other.grayscale);
    if (
      !again.ok ||
      isMostlyVertical(again.value.words, other.grayscale) ||
      // Turned the wrong way, there is little to read, or nothing.
      readingQuality(again.value.words) < readingQuality(answer.value.words) / 2 ||
      confidenceOf(again.value.words) < UPRIGHT_CONFIDENCE - 0.15
    )
      continue;
    [prepared, answer] = [other, again];
    break;
  }
  if (requestedTurn === null && isDoubtful(answer.value.words)) {
    const other = await prepare(page, ((prepared.turn + 180) % 360) as PageTurn);
    const again = await read(other.grayscale);
    if (again.ok && readingQuality(again.value.words) > readingQuality(answer.value.words) * 1.2)
      [prepared, answer] = [other, again];
  }
  const detected = isFirst && !state.requestedLanguages ? await languageOf(answer.value.words) : null;
  if (detected && detected.confidence >= SURE_LANGUAGE && state.languages?.[0] !== detected.language) {
    state.languages = [detected.language];
    const again = await read(prepared.grayscale);
    if (again.ok) answer = again;
  }
  const words = await readUncertainWords({ ocr, numbers }, prepared.grayscale, answer.value.words, {
    languages: state.languages ?? ['en'],
    signal,
  });
  const rest = findUnrecognizedGlyphs(prepared.grayscale, prepared.letters, words);
  if (rest) {
    const more = await ocr.readPage(imageOf(rest.grayscale), {
      languages: state.languages ?? ['en'],
      signal,
      asBlock: true,
    });
    if (more.ok) words.push(...selectNewWords(rest.onPage(more.value.words), words));
  }
  const languages = state.languages ?? ['en'];
  const complete = await readUnreadCells(ocr, prepared.grayscale, words, { languages, signal });
  const all = await readLoneNumbers(numbers, prepared, complete, signal);
  const checked = await lookAgain(numbers, prepared.grayscale, all, signal);
  return { ok: true, value: toPageText(page, prepared, checked) };
}

/** Confidence times amount: an upside-down page yields few words of low confidence. */
const readingQuality = (words: readonly PageWord[]): number =>
  words.reduce((sum, word) => sum + (/\p{L}{3}|\d{2}/u.test(word.text) ? word.confidence * word.text.length : 0), 0);
const isDoubtful = (words: readonly PageWord[]): boolean =>
  words.length > 5 && confidenceOf(words) < UPRIGHT_CONFIDENCE - 0.15;

/** Whether most of the longer words are taller than wide. */
function isMostlyVertical(words: readonly PageWord[], { width, height }: GrayscaleImage): boolean {
  const long = words.filter((word) => word.text.length >= 4);
  return long.length >= 5 && long.filter((word) => word.h * height > word.w * width).length > 0.6 * long.length;
}

interface Probe {
  prepared: PrepareAnswer;
  language: Language;
}

async function probeUpright(
  { ocr, prepare, signal }: Omit<ScanDeps, 'numbers'>,
  page: number,
  first: PrepareAnswer,
  mayTurn: boolean,
): Promise<Outcome<Probe>> {
  const look = async (candidate: PrepareAnswer) =>
    ocr.readPage(imageOf(densestStrip(candidate.grayscale)), { languages: ['en'], signal, isProbe: true });
  const answer = await look(first);
  if (!answer.ok) return answer;
  let best = { prepared: first, words: answer.value.words };
  if (mayTurn && confidenceOf(best.words) < UPRIGHT_CONFIDENCE) {
    // Upside down is more likely than a wrong guess of the direction of lines, so the other rotations are tried only if
    // it doesn't help.
    for (const turn of [180, 90, 270] as const) {
      const candidate = await prepare(page, ((first.turn + turn) % 360) as PageTurn);
      const again = await look(candidate);
      if (!again.ok) return again;
      if (
        readingQuality(again.value.words) > readingQuality(best.words) * (1 + TURN_LEAD) &&
        confidenceOf(again.value.words) > confidenceOf(best.words)
      )
        best = { prepared: candidate, words: again.value.words };
      if (confidenceOf(best.words) >= UPRIGHT_CONFIDENCE) break;
    }
  }
  return { ok: true, value: { prepared: best.prepared, language: (await languageOf(best.words))?.language ?? 'en' } };
}

async function languageOf(words: readonly PageWord[]): Promise<{ language: Language; confidence: number } | null> {
  // Its word lists and statistics are loaded with the first scan instead of with the program.
  const { detectLanguage } = await import('../../extraction/languages/language.ts');
  return detectLanguage(words.map(({ text }) => text).join(' '));
}

/** The part of the page, a few lines high, with the most ink. */
function densestStrip(grayscale: GrayscaleImage): GrayscaleImage {
  const { data, width, height } = grayscale;
  const rows = Math.min(height, Math.round((STRIP_ROWS * Math.max(width, height)) / 3400));
  if (rows >= height) return grayscale;
  const ink = new Float64Array(height + 1);
  for (let y = 0; y < height; y += 1) {
    let dark = 0;
    for (let x = 0; x < width; x += 4) if ((data[y * width + x] ?? 255) < 128) dark += 1;
    // A black bar is not text.
    ink[y + 1] = (ink[y] ?? 0) + (dark > width / 8 ? 0 : dark);
  }
  let from = 0,
    most = -1;
  for (let y = 0; y + rows <= height; y += 16) {
    const sum = (ink[y + rows] ?? 0) - (ink[y] ?? 0);
    if (sum > most) {
      most = sum;
      from = y;
    }
  }
  return { data: data.subarray(from * width, (from + rows) * width), width, height: rows };
}

/** The text of a page; without words if it could not be read in time. */
export function toPageText(page: number, { grayscale, turn, toDisplay }: PrepareAnswer, words: PageWord[]): PageText {
  const scale = LONG_SIDE_POINTS / Math.max(grayscale.width, grayscale.height);
  const base = {
    page,
    width: grayscale.width * scale,
    height: grayscale.height * scale,
    turn,
    toDisplay,
    source: 'ocr' as const,
    words,
    confidence: words.length ? confidenceOf(words) : 0,
  };
  return { ...base, text: textOf(base) };
}
