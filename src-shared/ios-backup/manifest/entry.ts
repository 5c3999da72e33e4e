/** Kinds by `flags` of Manifest.db. An entry with unknown flags is `other` and has no content. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

const KINDS: Readonly<Record<number, EntryKind>> = { 1: 'file', 2: 'folder', 4: 'link' };

/** Returns the kind of an entry by its flags. */
export const kindOf = (flags: number): EntryKind => KINDS[flags] ?? 'other';

/** An entry of the manifest. */
export interface Entry {
  /** 40 lower-case hexadecimal digits. Any other id (in a hostile manifest) is shown unchanged but never opened. */
  fileId: string;
  domain: string;
  /** As in the manifest: for display and search, never a path to write to. */
  relativePath: string;
  flags: number;
  kind: EntryKind;
  /** Size in the manifest; null if it has none. `content()` returns the actual size. */
  size: number | null;
  /** Seconds since 1970. */
  modifiedAt: number | null;
  protectionClass: number | null;
  /** Whether it has its own key. */
  encrypted: boolean;
}

/** An entry with all details of the manifest. */
export interface EntryDetail extends Entry {
  mode: number | null;
  /** Seconds since 1970. */
  createdAt: number | null;
  /** The target of a link. */
  target: string | null;
}

/** The only form of a file id that becomes a path. */
const SAFE_ID = /^[0-9a-f]{40}$/;

/** Whether an id has the form of a file id, so that it may become a path. */
export const isSafeFileId = (fileId: string): boolean => SAFE_ID.test(fileId);
