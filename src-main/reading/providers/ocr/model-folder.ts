import { copyFile, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MODELS } from './ocr-words.ts';

/** Prefix of folder names, followed by the process id: `hearth-ocr-4711-x8Fa0Q`. */
const PREFIX = 'hearth-ocr-';
const OURS = /^hearth-ocr-(\d{1,10})-\w{6}$/;

/**
 * tesseract.js looks for all models in one folder, but each package has its own. Returns a folder of this process,
 * which the caller removes.
 */
export async function gatherModels(parent: string = tmpdir()): Promise<string> {
  const require = createRequire(import.meta.url);
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  await Promise.all(
    Object.values(MODELS).map((model) => {
      const home = dirname(require.resolve(`@tesseract.js-data/${model}/package.json`));
      return copyFile(join(home, '4.0.0_best_int', `${model}.traineddata.gz`), join(folder, `${model}.traineddata.gz`));
    }),
  );
  return folder;
}

/**
 * Removes model folders of processes that died without removing them. Folders of other users and of running processes
 * are not touched.
 */
export async function removeAbandonedModels(parent: string = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch((): string[] => []);
  for (const name of names) {
    const pid = OURS.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(parent, name);
    const entry = await lstat(folder).catch(() => null);
    if (!entry?.isDirectory() || (process.getuid !== undefined && entry.uid !== process.getuid())) continue;
    // Another process that starts may be removing it at the same time.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
