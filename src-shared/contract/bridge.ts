import { z } from 'zod';
import type { MenuLabels } from './menu-labels.ts';

/**
 * Everything that the page can request from the desktop shell, in one table; main parses arguments and replies. No call
 * can write. A browser has no bridge, and the page works without it. `bridge-names.ts` has the channel names.
 */

/** Identifies a folder in this run of the program; the page never learns its path. */
const folderKey = z.string().min(1).max(64);
const nothing = z.strictObject({});

const label = z.string().min(1).max(60);
const menuLabels = z.strictObject({
  file: label,
  vault: label,
  home: label,
  edit: label,
  view: label,
  window: label,
} satisfies Record<keyof MenuLabels, z.ZodType>);

/** The folder of a phone backup. */
const phoneFolder = z.strictObject({
  key: folderKey,
  /** The folder's name, which is the backup's id. */
  id: z.string().min(1).max(255),
});
export type PhoneFolder = z.output<typeof phoneFolder>;

export const bridgeCalls = {
  /** Backups in the operating system's folder, or in the configured one. */
  phoneFolders: { args: nothing, reply: z.strictObject({ folders: z.array(phoneFolder) }) },
  /**
   * Opens the system's folder dialog; null if it was canceled. Returns the backups in the selected folder: the folder
   * itself, or those one or two levels deep.
   */
  choosePhoneFolder: { args: nothing, reply: z.strictObject({ folders: z.array(phoneFolder).nullable() }) },
  /** Shows a backup in the system's file manager. */
  revealPhoneFolder: { args: z.strictObject({ key: folderKey }), reply: nothing },
  /** Labels the desktop menu in the language of the page. */
  setMenuLabels: { args: menuLabels, reply: nothing },
} as const;
export type BridgeCalls = typeof bridgeCalls;
export type BridgeCall = keyof BridgeCalls;
/** Calls that our page may make for everyone, also before anyone has signed in. */
export const PUBLIC_CALLS: ReadonlySet<BridgeCall> = new Set(['setMenuLabels']);

/**
 * `forbidden`: this page or user has no access. `unknown_folder`: an unknown or forgotten key. `malformed`: invalid
 * arguments. `unreadable`: missing or not readable. `fault`: any other error.
 */
export const BRIDGE_ERRORS = ['forbidden', 'unknown_folder', 'malformed', 'unreadable', 'fault'] as const;
const bridgeError = z.enum(BRIDGE_ERRORS);
export type BridgeErrorCode = z.output<typeof bridgeError>;

/** Errors are returned as values, because Electron transfers only the message of a thrown one. */
export const bridgeAnswer = z.union([z.strictObject({ value: z.unknown() }), z.strictObject({ error: bridgeError })]);
export type BridgeAnswer = z.output<typeof bridgeAnswer>;

/** Signals from the shell to the page: erase keys, with the reason. */
export const bridgeSignal = z.strictObject({
  kind: z.literal('forget-keys'),
  reason: z.enum(['suspend', 'lock-screen']),
});
export type BridgeSignal = z.output<typeof bridgeSignal>;

/** The object that preload exposes to the page. */
export interface ShellBridge {
  call(name: BridgeCall, args: unknown): Promise<BridgeAnswer>;
  /** Subscribes to every later signal. */
  onSignal(listener: (signal: BridgeSignal) => void): void;
}

/** Names that `files` of a folder accepts: those that the library reads from a backup, never a path from a manifest. */
const BLOB = '[0-9a-f]{40}';
const FIXED = 'Manifest\\.(?:plist|db|db-wal|mbdb)|Info\\.plist|Status\\.plist';
/** `Manifest.db`, `ab/ab…`, or before iOS 10 `ab…`. */
const backupPath = z.string().regex(new RegExp(`^(?:${FIXED}|${BLOB}|([0-9a-f]{2})/\\1[0-9a-f]{38})$`));
/** `''` is the backup itself; `ab` one of its folders of blobs. */
const backupFolder = z.string().regex(/^(?:[0-9a-f]{2})?$/);
/** Names in a listing: the same names, and the folders of blobs. */
const listedName = new RegExp(`^(?:${FIXED}|${BLOB}|[0-9a-f]{2})$`);
/** Maximum number of bytes per reply; larger ranges take several calls. */
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;
const offset = z.int().min(0);

export const isListed = (name: string): boolean => listedName.test(name);

/** Calls over the port of one folder. Each reply has the number of its call; numbers start at 1. */
export const fileQuestion = z.discriminatedUnion('call', [
  z.strictObject({ id: z.int(), call: z.literal('list'), args: z.tuple([backupFolder]) }),
  z.strictObject({ id: z.int(), call: z.literal('size'), args: z.tuple([backupPath]) }),
  /** Bytes of [start, end), cut at the end of the file. */
  z
    .strictObject({ id: z.int(), call: z.literal('readRange'), args: z.tuple([backupPath, offset, offset]) })
    .refine(({ args: [, start, end] }) => start <= end && end - start <= MAX_RANGE_BYTES),
]);
export type FileQuestion = z.output<typeof fileQuestion>;

export const fileReplies = {
  list: z.array(
    z.strictObject({ name: z.string().regex(listedName), kind: z.enum(['file', 'folder']), size: z.int().min(0) }),
  ),
  size: z.int().min(0).nullable(),
  readRange: z.instanceof(Uint8Array),
} as const;
/** Main sends this number before it closes the port: no more replies follow. */
export const CLOSED_MESSAGE_ID = 0;
export type FileAnswer = { id: number } & BridgeAnswer;
