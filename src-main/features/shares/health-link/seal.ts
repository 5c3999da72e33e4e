import type { RecordToShare } from './bundle.ts';

/** A task of the thread that writes the files of a link. */
export interface SealTask {
  record: RecordToShare;
  /** 32 bytes in base64url. */
  key: string;
  /** Absolute; the files of the link are its only content. */
  folder: string;
  /** Milliseconds since the epoch. */
  now: number;
}
