/** Why a backup, an entry or its bytes can't be read, with one code for each cause that matters to users. */
export type BackupErrorCode =
  /** The folder contains neither Manifest.db nor Manifest.mbdb. */
  | 'not_a_backup'
  /** A property list is damaged, or built to exhaust its reader. `params.reason` */
  | 'damaged_plist'
  /** The keybag is missing, damaged or of another kind. `params.reason` */
  | 'damaged_keybag'
  /** The manifest can't be read, even with the right keys. `params.reason` */
  | 'damaged_manifest'
  /** The folder of the backup has disappeared: its disk was unplugged, or it was moved. */
  | 'gone'
  /** No class key could be unwrapped with this password. */
  | 'wrong_password'
  /** The backup was locked, or its session has ended. */
  | 'locked'
  /** There is no entry with this file id, or at this domain and path. */
  | 'unknown_entry'
  /** The entry is a folder or a link and has no bytes. `params.kind` */
  | 'not_a_file'
  /** The entry is in the manifest, but its file is missing from the backup. */
  | 'missing_blob'
  /** The protection class is readable only on the device itself. `params.protectionClass` */
  | 'needs_device'
  /** The key of the file is damaged or matches no class key. `params.reason` */
  | 'damaged_key'
  /** The manifest's record of this one file is damaged, so its key and size are unknown. */
  | 'damaged_record'
  /** The file ends inside a cipher block, so its end is lost. */
  | 'cut_file'
  /** The file is damaged: it is shorter than the requested range, or not a database. `params.reason` */
  | 'damaged_file';

/** An error with a code and the data that describe it. */
export class BackupError extends Error {
  readonly code: BackupErrorCode;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(code: BackupErrorCode, params: Record<string, string | number> = {}, cause?: unknown) {
    super(`${code}${params.reason === undefined ? '' : `: ${params.reason}`}`, { cause });
    this.name = 'BackupError';
    this.code = code;
    this.params = params;
  }
}
