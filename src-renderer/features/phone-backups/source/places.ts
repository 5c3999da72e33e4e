import type { PhoneFolder } from '../../../../src-shared/contract/bridge.ts';
import { askShell, isInShell, openFolderPort, ShellError } from '../../../client/shell-bridge.ts';
import type { Found, Place } from '../worker/ios-backup/protocol.ts';
import { DirectError } from './source.ts';
import type { WorkerClient } from './worker-client.ts';

/** A place that can be looked in again: of the shell's folders only their keys are kept, and ports opened each time. */
export type LookedIn = Exclude<Place, { kind: 'shell' }> | ShellPlace;
export interface ShellPlace {
  kind: 'shell';
  folders: readonly PhoneFolder[];
}

/** What is in a place. The shell closes a port to who may not read, and when the computer sleeps. */
export function lookIn(worker: WorkerClient, place: LookedIn): Promise<Found[]> {
  if (place.kind !== 'shell') return worker.call('discover', [place]);
  const folders = place.folders.map(({ id, key }) => ({ name: id, port: openFolderPort(key) }));
  return worker.call('discover', [{ kind: 'shell', folders }], { transfer: folders.map(({ port }) => port) });
}

/** Folders of backups that the shell found; null in a browser, and for who may not look at the backups of this computer. */
export async function foldersOfShell(): Promise<readonly PhoneFolder[] | null> {
  if (!isInShell()) return null;
  return askShell('phoneFolders', {}).then(({ folders }) => folders, forbiddenIsNull);
}

/**
 * Lets the person choose a folder: in the shell by the dialog of the system, which also opens folders that Chromium keeps from pages,
 * such as the very one of backups. Null when it was closed; `unavailable` where the page itself has to ask.
 */
export async function chooseInDialog(): Promise<LookedIn | null | 'unavailable'> {
  if (!isInShell()) return 'unavailable';
  const answer = await askShell('choosePhoneFolder', {}).catch((error: unknown) => {
    if (error instanceof ShellError && error.code === 'unreadable') throw new DirectError('unreadable');
    return forbiddenIsNull(error);
  });
  if (answer === null) return 'unavailable';
  return answer.folders && { kind: 'shell', folders: answer.folders };
}

/** Shows a folder of the shell in the system's file manager. */
export async function revealFolder(key: string): Promise<void> {
  await askShell('revealPhoneFolder', { key });
}

function forbiddenIsNull(error: unknown): null {
  if (error instanceof ShellError && error.code === 'forbidden') return null;
  throw error;
}
