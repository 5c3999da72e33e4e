export interface CopyPair {
  from: string;
  to: string;
}

/** A task for the threads of the file worker. */
export type FileTask =
  | { kind: 'hash'; path: string }
  | { kind: 'hash-all'; paths: string[] }
  | { kind: 'copy-all'; pairs: CopyPair[] }
  | { kind: 'copy-database'; from: string; to: string }
  | { kind: 'database-faults'; path: string };
