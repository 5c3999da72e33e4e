import type { ArtifactName, ContactPicture } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { IntegrityCheck } from '../../../src-shared/contract/phone-backups/service.ts';
import type { IntegrityChecker } from '../../../src-shared/ios-backup/artifacts/integrity-check.ts';
import type { DomainCount, EntryDetail, EntryPage, EntryQuery } from '../../../src-shared/ios-backup/index.ts';
import type { AnyErrorParams, ErrorCode } from '../../../src-shared/contract/errors.ts';

/** What the thread of an open backup is asked, and what it answers. */
export interface ThreadCalls {
  open: { ask: { folder: string; sandbox: string; passphrase: string }; answer: { entries: number } };
  entries: { ask: EntryQuery; answer: EntryPage };
  domains: { ask: undefined; answer: DomainCount[] };
  entry: { ask: { fileId: string }; answer: EntryDetail & { contentSize: number } };
  range: { ask: { fileId: string; start: number; end: number }; answer: Uint8Array };
  extract: { ask: { fileId: string; path: string }; answer: { size: number } };
  /** Compares manifest and files in the background. */
  integrity: { ask: { act: 'start' | 'state' | 'cancel' }; answer: IntegrityCheck };
  integrityFindings: {
    ask: Parameters<IntegrityChecker['findings']>[0];
    answer: ReturnType<IntegrityChecker['findings']>;
  };
  contactPicture: { ask: { identifier: string }; answer: ContactPicture | null };
  index: { ask: { file: string; artifacts: ArtifactName[] }; answer: undefined };
  lock: { ask: undefined; answer: undefined };
}
export type CallName = keyof ThreadCalls;

export type ToThread =
  | { [K in CallName]: { id: number; call: K; ask: ThreadCalls[K]['ask'] } }[CallName]
  | { cancel: number };
export type FromThread =
  | { id: number; ok: true; answer: unknown }
  | { id: number; ok: false; code: ErrorCode | null; params: AnyErrorParams; message: string }
  | { id: number; progress: IndexProgress };

/** How far the indexing of one artifact is. */
export interface IndexProgress {
  artifact: ArtifactName;
  status: 'running' | 'done' | 'absent' | 'failed' | 'cancelled';
  rows: number;
  total: number | null;
  skipped: number;
}
