import { copyFileSync, linkSync, renameSync, rmSync, unlinkSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createFolder, syncFile, syncFolder } from './atomic.ts';
import { hashFileSync } from './hash.ts';
import { numberedName } from './layout.ts';
import { lstatOrNull } from './paths.ts';

/** Error codes of file systems without hard links (exFAT, some network shares). */
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES']);

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Absolute paths; `to` is null to delete the file. A folder moves with everything in it. */
export interface FileChange {
  from: string;
  to: string | null;
}

/**
 * `moved` (or removed) by this call, `already` by an earlier attempt, `lost` if neither name exists, or the reason of a
 * failure that can be retried.
 */
export type ChangeEnd = 'moved' | 'already' | 'lost' | { error: unknown };

/**
 * Applies changes that do not touch each other's paths and flushes them; safe to repeat after a crash at any moment. It
 * creates new names, flushes their folders once, removes old names, and flushes those folders once. Many files
 * therefore need hardly more flushes than one, and no old name is removed before the new one is on disk. It never
 * overwrites: an unrelated file at a target is first renamed with a number. A change whose paths throw has failed.
 */
export function changeFiles(changes: readonly (() => FileChange)[]): ChangeEnd[] {
  const steps = changes.map((): Step => ({ change: { from: '', to: null }, end: 'moved', oldName: null }));
  attemptEach(steps, (step, index) => {
    step.change = changes[index]!();
    place(step);
  });
  flushEach(steps, ({ change, end }) => (end === 'moved' && change.to !== null ? dirname(change.to) : null));
  attemptEach(steps, ({ oldName }) => {
    if (oldName !== null) unlinkSync(oldName);
  });
  flushEach(steps, ({ change, end }) => (end === 'lost' ? null : dirname(change.from)));
  return steps.map(({ end }) => end);
}

/** `oldName`: the name to remove once the new one is on disk. */
interface Step {
  change: FileChange;
  end: ChangeEnd;
  oldName: string | null;
}

const hasFailed = ({ end }: Step): boolean => typeof end === 'object';

function attemptEach(steps: readonly Step[], work: (step: Step, index: number) => void): void {
  for (const [index, step] of steps.entries()) {
    if (hasFailed(step)) continue;
    try {
      work(step, index);
    } catch (error) {
      step.end = { error };
    }
  }
}

function flushEach(steps: readonly Step[], folderOf: (step: Step) => string | null): void {
  const flushed = new Map<string, unknown>();
  attemptEach(steps, (step) => {
    const folder = folderOf(step);
    if (folder === null) return;
    if (!flushed.has(folder)) flushed.set(folder, failureOf(folder));
    const failed = flushed.get(folder);
    if (failed !== null) throw failed;
  });
}

function failureOf(folder: string): unknown {
  try {
    // The folder is already gone.
    if (lstatOrNull(folder) !== null) syncFolder(folder);
    return null;
  } catch (error) {
    return error;
  }
}

/** Creates the new name of a file, as a second name if the file system supports hard links. */
function place(step: Step): void {
  const {
    change: { from, to },
  } = step;
  const source = lstatOrNull(from);
  if (to === null) {
    step.oldName = source && from;
    return;
  }
  const target = lstatOrNull(to);
  if (source === null) {
    step.end = target === null ? 'lost' : 'already';
    return;
  }
  createFolder(dirname(to));
  const isSame = target !== null && source.dev === target.dev && source.ino === target.ino;
  if (source.isDirectory()) {
    if (target !== null && !isSame) setAside(to);
    renameSync(from, to);
  } else if (target === null) step.oldName = giveName(from, to);
  // Interrupted between both steps, or (with one link only) two spellings of one name on a case-insensitive file
  // system.
  else if (isSame && source.nlink > 1) step.oldName = from;
  else if (isSame) renameSync(from, to);
  else if (haveSameContent(from, source, to, target)) step.oldName = from;
  else {
    setAside(to);
    step.oldName = giveName(from, to);
  }
}

/** Compares two regular files; a folder or a link may have the size of a file, but not its content. */
const haveSameContent = (from: string, source: Stats, to: string, target: Stats): boolean =>
  source.isFile() && target.isFile() && source.size === target.size && hashFileSync(from) === hashFileSync(to);

/** Returns the old name if it still exists. */
function giveName(from: string, to: string): string | null {
  try {
    // Unlike rename, link fails when the name has appeared since the check.
    linkSync(from, to);
    return from;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EXDEV') return copyAcrossVolumes(from, to);
    if (code === undefined || !NO_HARD_LINKS.has(code)) throw error;
    renameSync(from, to);
    return null;
  }
}

function copyAcrossVolumes(from: string, to: string): string {
  const temporary = join(dirname(to), `.${basename(to)}.part`);
  rmSync(temporary, { force: true });
  copyFileSync(from, temporary);
  syncFile(temporary);
  if (hashFileSync(temporary) !== hashFileSync(from)) {
    rmSync(temporary, { force: true });
    throw Object.assign(new Error('copy differs from its source'), { code: 'EIO' });
  }
  const oldName = giveName(temporary, to);
  if (oldName !== null) unlinkSync(oldName);
  return from;
}

function setAside(absolute: string): void {
  let n = 2;
  while (lstatOrNull(join(dirname(absolute), numberedName(basename(absolute), n))) !== null) n += 1;
  renameSync(absolute, join(dirname(absolute), numberedName(basename(absolute), n)));
}
