import { z } from 'zod';
import type { CALL_NAMES } from './bridge-names.ts';
import { COMMANDS, LINKED_PATH, PAGES } from './commands.ts';
import { MENU_TEXTS, type MenuLabels, type ShellText } from './menu-labels.ts';
import { id } from './wire.ts';

/**
 * Everything that the page can request from the desktop shell, in one table; main parses arguments and replies. No call
 * can write into a vault. A browser has no bridge, and the page works without it. `bridge-names.ts` has the channel names.
 */

/** Identifies a folder in this run of the program; the page never learns its path. */
const folderKey = z.string().min(1).max(64);
const nothing = z.strictObject({});

const label = z.string().min(1).max(120);
const labelsFor = <K extends string>(names: readonly K[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, label])) as Record<K, typeof label>);
const menuLabels = z.strictObject({
  shell: labelsFor(Object.keys(MENU_TEXTS) as ShellText[]),
  pages: labelsFor(PAGES.map(({ name }) => name)),
  commands: labelsFor(COMMANDS.map(({ name }) => name)),
} satisfies Record<keyof MenuLabels, z.ZodType>);

/** A file that the user opened with Hearth or dropped on its icon; it waits until the page takes it. */
const offeredFile = z.strictObject({ key: z.string(), name: z.string().max(255), size: z.int().min(0) });
export type OfferedFile = z.output<typeof offeredFile>;
/** Maximum number of bytes per reply; larger ranges take several calls. */
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;
const offset = z.int().min(0);

/** What is set for this computer alone, in a file beside the configuration. */
export const desktopPreferences = z.strictObject({
  /** Reading waits while the computer runs on its battery. */
  pause_on_battery: z.boolean(),
  /** Tells outside the window that documents were read, need a review, or that a share was opened. */
  notifications: z.boolean(),
  /** Looks for new versions on the internet. */
  updates: z.boolean(),
});
export type DesktopPreferences = z.output<typeof desktopPreferences>;
const desktopState = z.strictObject({
  preferences: desktopPreferences,
  /** Devices that need no selection any more. */
  devices: z.int().min(0),
  is_safe_mode: z.boolean(),
  /** False for copies that can't be updated: those that run from a clone. */
  can_update: z.boolean(),
});
export type DesktopState = z.output<typeof desktopState>;

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
  /** Words menu, tray, dialogs and notifications in the language of the page. */
  setMenuLabels: { args: menuLabels, reply: nothing },
  /** The files that wait to be added. */
  offeredFiles: { args: nothing, reply: z.strictObject({ files: z.array(offeredFile) }) },
  /** Bytes of [start, end), cut at the end of the file. */
  readOfferedFile: {
    args: z
      .strictObject({ key: folderKey, start: offset, end: offset })
      .refine(({ start, end }) => start <= end && end - start <= MAX_RANGE_BYTES),
    reply: z.strictObject({ bytes: z.instanceof(Uint8Array) }),
  },
  /** Forgets a file: the page has taken or refused it. */
  dropOfferedFile: { args: z.strictObject({ key: folderKey }), reply: nothing },
  /** Shows the file of a document in the system's file manager, if the user may see it. */
  revealDocument: { args: z.strictObject({ id }), reply: nothing },
  /** Answers the signal `ports`: the port that the user selected, or null for none. */
  choosePort: { args: z.strictObject({ id: z.string().max(200).nullable() }), reply: nothing },
  desktopState: { args: nothing, reply: desktopState },
  changeDesktop: { args: desktopPreferences.partial(), reply: desktopState },
  /** Forgets the devices that need no selection any more. */
  forgetDevices: { args: nothing, reply: desktopState },
} as const satisfies Record<(typeof CALL_NAMES)[number], { args: z.ZodType; reply: z.ZodType }>;
export type BridgeCalls = typeof bridgeCalls;
export type BridgeCall = keyof BridgeCalls;

/** Who may call: every page of ours, a signed-in user, or an administrator. */
export const CALL_ACCESS: { readonly [K in BridgeCall]: 'page' | 'user' | 'admin' } = {
  setMenuLabels: 'page',
  offeredFiles: 'user',
  readOfferedFile: 'user',
  dropOfferedFile: 'user',
  revealDocument: 'user',
  choosePort: 'user',
  desktopState: 'user',
  changeDesktop: 'admin',
  forgetDevices: 'admin',
  phoneFolders: 'admin',
  choosePhoneFolder: 'admin',
  revealPhoneFolder: 'admin',
};

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

/** A serial port as the picker shows it; USB ids in hexadecimal. */
const listedPort = z.strictObject({
  id: z.string().max(200),
  name: z.string().max(200),
  vendor: z.string().max(8).nullable(),
  product: z.string().max(8).nullable(),
});
export type ListedPort = z.output<typeof listedPort>;

/**
 * Signals from the shell to the page: erase keys, with the reason; run a command of the menu; go to a page; take the
 * files that wait; let the user select a port, null when there is nothing to select any more.
 */
export const bridgeSignal = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('forget-keys'), reason: z.enum(['suspend', 'lock-screen']) }),
  z.strictObject({ kind: z.literal('command'), name: z.enum(COMMANDS.map(({ name }) => name)) }),
  z.strictObject({
    kind: z.literal('go'),
    path: z.union([z.enum(PAGES.map(({ to }) => to)), z.string().regex(LINKED_PATH)]),
  }),
  z.strictObject({ kind: z.literal('files') }),
  z.strictObject({ kind: z.literal('ports'), ports: z.array(listedPort).nullable() }),
]);
export type BridgeSignal = z.output<typeof bridgeSignal>;

/** The object that preload exposes to the page: a function for each call. */
export type ShellBridge = { readonly [K in BridgeCall]: (args: unknown) => Promise<BridgeAnswer> } & {
  /** Subscribes to every later signal. */
  onSignal(listener: (signal: BridgeSignal) => void): void;
};

/** Names that `files` of a folder accepts: those that the library reads from a backup, never a path from a manifest. */
const BLOB = '[0-9a-f]{40}';
const FIXED = 'Manifest\\.(?:plist|db|db-wal|mbdb)|Info\\.plist|Status\\.plist';
/** `Manifest.db`, `ab/ab…`, or before iOS 10 `ab…`. */
const backupPath = z.string().regex(new RegExp(`^(?:${FIXED}|${BLOB}|([0-9a-f]{2})/\\1[0-9a-f]{38})$`));
/** `''` is the backup itself; `ab` one of its folders of blobs. */
const backupFolder = z.string().regex(/^(?:[0-9a-f]{2})?$/);
/** Names in a listing: the same names, and the folders of blobs. */
const listedName = new RegExp(`^(?:${FIXED}|${BLOB}|[0-9a-f]{2})$`);
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
