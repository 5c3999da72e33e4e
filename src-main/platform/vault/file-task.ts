export interface CopyPair {
  from: string;
  to: string;
  /** Stored as it is, also in an encrypted vault: SQLite encrypts databases itself. */
  isUnsealed?: boolean;
}

/** Size and hash of the bytes that were stored, and the hash of the content, which is another one if it is sealed. */
export interface Copied {
  size: number;
  sha256: string;
  content: string;
}

/** A task for the threads of the file worker. */
export type FileTask =
  | { kind: 'hash'; path: string }
  | { kind: 'hash-all'; paths: string[] }
  | { kind: 'copy-all'; pairs: CopyPair[] }
  | { kind: 'copy-database'; from: string; to: string }
  | { kind: 'database-faults'; path: string };
