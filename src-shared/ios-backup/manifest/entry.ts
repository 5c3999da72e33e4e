/** The values of `flags` in Manifest.db; another number is shown as `other` and has no bytes. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

const KINDS: Readonly<Record<number, EntryKind>> = { 1: 'file', 2: 'folder', 4: 'link' };

export const kindOf = (flags: number): EntryKind => KINDS[flags] ?? 'other';

/** One line of the manifest. */
export interface Entry {
  /** 40 lower-case hexadecimal digits; anything else, from a hostile manifest, is shown unchanged and never opened. */
  fileId: string;
  domain: string;
  /** As the manifest has it: for showing and searching, never a path to write to. */
  relativePath: string;
  flags: number;
  kind: EntryKind;
  /** Size according to the manifest; null without one. `content()` returns the actual size. */
  size: number | null;
  /** Seconds since 1970. */
  modifiedAt: number | null;
  protectionClass: number | null;
  /** It has a key of its own. */
  encrypted: boolean;
}

/** An entry with all that is known of it. */
export interface EntryDetail extends Entry {
  mode: number | null;
  /** Seconds since 1970. */
  createdAt: number | null;
  /** Where a link leads. */
  target: string | null;
}

/** The only shape of a file id that is ever turned into a path. */
const SAFE_ID = /^[0-9a-f]{40}$/;

export const isSafeFileId = (fileId: string): boolean => SAFE_ID.test(fileId);
