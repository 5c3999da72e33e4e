import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ArchiveImport } from '../../src-shared/contract/archive-imports.ts';
import { Failure } from '../platform/kernel/errors.ts';
import { randomId } from '../platform/kernel/ids.ts';
import { writeFileAtomic } from '../platform/vault/atomic.ts';
import type { CommandInput } from './command-input.ts';
import { startCore, type Core } from './core.ts';

/**
 * Imports folders, files and exports of other programs into a patient's record, and waits until they are read. What was
 * interrupted goes on where it was.
 */
export async function importArchives({ config, flags, words, print }: CommandInput): Promise<number> {
  if (words.length === 0) throw new TypeError('Name the files or folders to import.');
  if (flags.report !== null && words.length > 1) throw new TypeError('A report is of one folder or file.');
  const core = await startCore({
    config: { ...config, 'http.port': 0, 'phone_backups.port': 0, 'pipeline.watch_enabled': false },
  });
  try {
    const patient = core.patients.bySlug(flags.patient ?? '');
    if (!patient)
      throw new TypeError(
        `There is no patient “${flags.patient ?? ''}”. ` +
          `Name one of these with --patient: ${core.patients.slugs().join(', ')}.`,
      );
    let failed = 0;
    for (const word of words) {
      try {
        failed += await importOne(core, resolve(word), patient.id, { flags, print });
      } catch (error) {
        failed += 1;
        print(`${basename(word)}: ${problemOf(error)}`);
      }
    }
    if (!flags.preview) await core.pipeline.idle();
    return failed > 0 ? 1 : 0;
  } finally {
    await core.stop();
  }
}

/** Returns the number of items that were refused. */
async function importOne(
  core: Core,
  path: string,
  patientId: number,
  { flags, print }: Pick<CommandInput, 'flags' | 'print'>,
): Promise<number> {
  const name = basename(path);
  const run = await core.archiveImports.runForOwner(path, patientId);
  print(`${name}: ${describe(run.preview)}`);
  if (flags.preview) {
    run.forget();
    return 0;
  }
  const { outcome, report } = await run.store(({ member, message }) =>
    // A file is an archive of itself.
    print(`${[name, ...(member === '.' || member === name ? [] : [member])].join('/')}${message}`),
  );
  print(`${name}: ${describe(outcome)}`);
  if (flags.report !== null) writeFileAtomic(resolve(flags.report), await buffer(report), randomId());
  return outcome.counts.refused;
}

const WORDS = [
  ['waiting', 'new'],
  ['stored', 'stored'],
  ['known', 'already here'],
  ['in_trash', 'in the trash'],
  ['refused', 'not readable'],
  ['left_out', 'kinds of data left out'],
] as const;

/** `12 new, 3 already here, 2 not readable.` */
function describe({ counts, values }: ArchiveImport): string {
  const parts = WORDS.flatMap(([status, words]) => (counts[status] > 0 ? [`${counts[status]} ${words}`] : []));
  return `${[...parts, ...(values > 0 ? [`${values} values`] : [])].join(', ')}.`;
}

const problemOf = (error: unknown): string =>
  error instanceof Failure ? error.detail : 'The files could not be imported.';
