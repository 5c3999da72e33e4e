import type { PhoneFolder } from '../../../../src-shared/contract/bridge.ts';
import { askShell, isInShell, openFolderPort, ShellError } from '../../../client/shell-bridge.ts';
import type { DiscoveredBackup, SearchLocation } from '../worker/ios-backup/protocol.ts';
import { DirectError } from './source.ts';
import type { WorkerClient } from './worker-client.ts';

/** A location that can be searched again: for folders of the shell it has keys, and each search opens new ports. */
export type BackupLocation = Exclude<SearchLocation, { kind: 'shell' }> | ShellLocation;
export interface ShellLocation {
  kind: 'shell';
  folders: readonly PhoneFolder[];
}

/** Finds the backups in a location. The shell closes ports that the user may not read, and all of them before sleep. */
export function discoverIn(worker: WorkerClient, location: BackupLocation): Promise<DiscoveredBackup[]> {
  if (location.kind !== 'shell') return worker.call('discover', [location]);
  const folders = location.folders.map(({ id, key }) => ({ name: id, port: openFolderPort(key) }));
  return worker.call('discover', [{ kind: 'shell', folders }], { transfer: folders.map(({ port }) => port) });
}

/** Backup folders that the shell found; null in a browser, and for users who may not see this computer's backups. */
export async function foldersOfShell(): Promise<readonly PhoneFolder[] | null> {
  if (!isInShell()) return null;
  return askShell('phoneFolders', {}).then(({ folders }) => folders, forbiddenIsNull);
}

/**
 * Lets the user select a folder in the shell's system dialog, which also opens folders that Chromium hides from pages,
 * such as the default backup folder. Null if the user cancels; `unavailable` if the page has to ask by itself.
 */
export async function selectInDialog(): Promise<BackupLocation | null | 'unavailable'> {
  if (!isInShell()) return 'unavailable';
  const reply = await askShell('choosePhoneFolder', {}).catch((error: unknown) => {
    if (error instanceof ShellError && error.code === 'unreadable') throw new DirectError('unreadable');
    return forbiddenIsNull(error);
  });
  if (reply === null) return 'unavailable';
  return reply.folders && { kind: 'shell', folders: reply.folders };
}

/** Shows a folder of the shell in the system's file manager. */
export async function revealFolder(key: string): Promise<void> {
  await askShell('revealPhoneFolder', { key });
}

function forbiddenIsNull(error: unknown): null {
  if (error instanceof ShellError && error.code === 'forbidden') return null;
  throw error;
}
