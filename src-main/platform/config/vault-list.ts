import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { writeFileAtomic } from '../vault/atomic.ts';
import { DATABASE_FILE } from '../vault/layout.ts';

/** Vaults that were opened on this computer, the last one first; kept beside the configuration. */
export interface VaultList {
  /** The vault that the next start opens, unless a flag, the environment or the configuration names another one. */
  current: string | null;
  recent: string[];
}

/** The vault that was chosen is not there, as after its disk was unplugged. */
export class VaultAbsent extends Error {
  constructor(path: string) {
    super(`The vault ${path} was not found. Connect its disk, or open another vault with --vault.`);
    this.name = 'VaultAbsent';
  }
}

/**
 * Refuses to make an empty vault where a chosen one is missing: the empty mount point of a disk looks like a new folder.
 * Throws `VaultAbsent`.
 */
export function refuseAbsent(folder: string, vault: string, mustExist: boolean): void {
  const isExpected = mustExist || readVaultList(folder).current === vault;
  if (isExpected && !existsSync(join(vault, DATABASE_FILE))) throw new VaultAbsent(vault);
}

const FILE = 'vaults.json';
const MAX_RECENT = 12;

/** Reads the list; a missing or damaged file is an empty one. */
export function readVaultList(folder: string): VaultList {
  const path = join(folder, FILE);
  if (!existsSync(path)) return { current: null, recent: [] };
  try {
    const parsed = JSON.parse(readFileSync(path, 'utf8')) as { current?: unknown; recent?: unknown };
    const recent = (Array.isArray(parsed.recent) ? parsed.recent : []).filter(isPath).slice(0, MAX_RECENT);
    return { current: isPath(parsed.current) ? parsed.current : null, recent };
  } catch {
    return { current: null, recent: [] };
  }
}

const isPath = (value: unknown): value is string => typeof value === 'string' && isAbsolute(value);

/** Puts a vault at the top of the list; with `opensNext` the next start opens it. */
export function rememberVault(folder: string, vault: string, uniqueName: string, opensNext: boolean): VaultList {
  const before = readVaultList(folder);
  const list: VaultList = {
    current: opensNext ? vault : before.current,
    recent: [vault, ...before.recent.filter((path) => path !== vault)].slice(0, MAX_RECENT),
  };
  writeVaultList(folder, list, uniqueName);
  return list;
}

/** Takes a vault out of the list; its files stay. */
export function forgetVault(folder: string, vault: string, uniqueName: string): VaultList {
  const before = readVaultList(folder);
  const list: VaultList = {
    current: before.current === vault ? null : before.current,
    recent: before.recent.filter((path) => path !== vault),
  };
  writeVaultList(folder, list, uniqueName);
  return list;
}

/** Writes a list as it was before a switch that failed. */
export const restoreVaultList = (folder: string, list: VaultList, uniqueName: string): void =>
  writeVaultList(folder, list, uniqueName);

const writeVaultList = (folder: string, list: VaultList, uniqueName: string): void =>
  writeFileAtomic(join(folder, FILE), `${JSON.stringify(list, null, 2)}\n`, uniqueName);
