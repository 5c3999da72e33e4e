import { z } from 'zod';

/**
 * What the page may ask of the desktop shell, and the only things: one table, arguments and answers parsed in the main
 * process. Nothing here writes. In a browser there is no bridge, and the page does without it. Names of channels:
 * `bridge-names.ts`.
 */

/** Stands for a folder in this run of the program; the page never learns its path. */
const folderKey = z.string().min(1).max(64);
const nothing = z.strictObject({});

/** The folder of a phone backup. */
const phoneFolder = z.strictObject({
  key: folderKey,
  /** The folder's name, which is the backup's id. */
  id: z.string().min(1).max(255),
});
export type PhoneFolder = z.output<typeof phoneFolder>;

export const bridgeCalls = {
  /** Backups in the folder of the operating system, or in the one that was configured. */
  phoneFolders: { args: nothing, reply: z.strictObject({ folders: z.array(phoneFolder) }) },
  /**
   * The dialog of the system; null when it was closed. Backups in the chosen folder: itself, or one or two folders
   * deep.
   */
  choosePhoneFolder: { args: nothing, reply: z.strictObject({ folders: z.array(phoneFolder).nullable() }) },
  /** Shows a backup in the system's file manager. */
  revealPhoneFolder: { args: z.strictObject({ key: folderKey }), reply: nothing },
} as const;
export type BridgeCalls = typeof bridgeCalls;
export type BridgeCall = keyof BridgeCalls;

/**
 * `forbidden`: not for this page or person. `unknown_folder`: no such key, or it was forgotten. `malformed`: the
 * arguments fit no schema. `unreadable`: what is asked for is no longer there, or may not be read. `fault`: anything
 * else.
 */
export const BRIDGE_ERRORS = ['forbidden', 'unknown_folder', 'malformed', 'unreadable', 'fault'] as const;
const bridgeError = z.enum(BRIDGE_ERRORS);
export type BridgeErrorCode = z.output<typeof bridgeError>;

/** Errors go over as values: Electron keeps only the words of what is thrown. */
export const bridgeAnswer = z.union([z.strictObject({ value: z.unknown() }), z.strictObject({ error: bridgeError })]);
export type BridgeAnswer = z.output<typeof bridgeAnswer>;

/** What the shell tells the page by itself: keys have to be forgotten, and why. */
export const bridgeSignal = z.strictObject({
  kind: z.literal('forget-keys'),
  reason: z.enum(['suspend', 'lock-screen']),
});
export type BridgeSignal = z.output<typeof bridgeSignal>;

/** What preload puts into the page. */
export interface ShellBridge {
  call(name: BridgeCall, args: unknown): Promise<BridgeAnswer>;
  /** Every signal from now on. */
  onSignal(listener: (signal: BridgeSignal) => void): void;
}

/**
 * What `files` of a folder may be asked for: what the engine reads of a backup, by name, never a path out of a
 * manifest.
 */
const BLOB = '[0-9a-f]{40}';
const FIXED = 'Manifest\\.(?:plist|db|db-wal|mbdb)|Info\\.plist|Status\\.plist';
/** `Manifest.db`, `ab/ab…`, or `ab…` as before iOS 10. */
const backupPath = z.string().regex(new RegExp(`^(?:${FIXED}|${BLOB}|([0-9a-f]{2})/\\1[0-9a-f]{38})$`));
/** `''` is the backup itself; `ab` one of its folders of blobs. */
const backupFolder = z.string().regex(/^(?:[0-9a-f]{2})?$/);
/** Names that a list tells: the same, and the folders of blobs. */
const listedName = new RegExp(`^(?:${FIXED}|${BLOB}|[0-9a-f]{2})$`);
/** Bytes of one answer at most; who wants more asks again. */
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;
const offset = z.int().min(0);

export const isListed = (name: string): boolean => listedName.test(name);

/** Calls over the port of one folder. Each answer carries the number of its question; numbers begin with 1. */
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
/** To this number main answers before it closes the port: nothing more will come. */
export const CLOSED_MESSAGE_ID = 0;
export type FileAnswer = { id: number } & BridgeAnswer;
