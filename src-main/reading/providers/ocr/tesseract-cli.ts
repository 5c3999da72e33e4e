import { availableParallelism } from 'node:os';
import { ProgramMissing, runProgram } from '../../../platform/kernel/run-program.ts';
import type { OcrProvider } from '../provider.ts';
import { MODELS, toPgm } from './ocr-words.ts';
import { parseTsv } from './tsv.ts';

const PROGRAM = 'tesseract';
/** The longest limit of a page, and more. */
const TIMEOUT_MS = 20 * 60_000;
/** Fully automatic segmentation, for letters with columns, tables and letterheads. */
const SEGMENTATION = '3';
const BLOCK = '6';

/** Languages of the installed program; null if it is not installed. */
export async function installedModels(): Promise<string[] | null> {
  try {
    const { code, stdout } = await runProgram(PROGRAM, ['--list-langs'], { timeoutMs: 10_000 });
    return code === 0
      ? stdout
          .toString()
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
          .filter((line) => line !== '')
      : null;
  } catch (error) {
    if (error instanceof ProgramMissing) return null;
    throw error;
  }
}

/** The tesseract program; one process per page, several pages at the same time. */
export function createTesseractCli(): OcrProvider {
  return {
    type: 'tesseract_cli',
    concurrency: availableParallelism(),
    async readPage(image, { languages, signal, asBlock = false }) {
      const models = languages.map((language) => MODELS[language]).join('+');
      try {
        const { code, stdout } = await runProgram(
          PROGRAM,
          ['stdin', 'stdout', '-l', models, '--dpi', '300', '--psm', asBlock ? BLOCK : SEGMENTATION, 'tsv'],
          {
            stdin: toPgm(image),
            env: { OMP_THREAD_LIMIT: '1' },
            signal,
            timeoutMs: TIMEOUT_MS,
          },
        );
        if (code !== 0)
          return {
            ok: false,
            reason: 'bad_answer',
            code: 'reading.tesseract_failed',
          };
        return { ok: true, value: parseTsv(stdout.toString(), image) };
      } catch (error) {
        if (signal.aborted) return { ok: false, reason: 'cancelled', code: 'reading.cancelled' };
        if (error instanceof ProgramMissing)
          return {
            ok: false,
            reason: 'unconfigured',
            code: 'reading.tesseract_missing',
          };
        return { ok: false, reason: 'unreachable', code: 'reading.tesseract_timeout' };
      }
    },
    close: () => Promise.resolve(),
  };
}
