import type { AnyErrorParams } from '../../../src-shared/contract/error-text.ts';
import type { ErrorCode } from '../../../src-shared/contract/errors.ts';
import type { ArtifactName, ContactPicture } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { IntegrityCheck } from '../../../src-shared/contract/phone-backups/service.ts';
import type { ArtifactState } from '../../../src-shared/ios-backup/artifacts/index-store/writer.ts';
import type { IntegrityChecker } from '../../../src-shared/ios-backup/artifacts/integrity-check.ts';
import type { DomainCount, EntryDetail, EntryPage, EntryQuery } from '../../../src-shared/ios-backup/index.ts';

/** Requests to the thread of an open backup, and their replies. */
export interface ThreadCalls {
  open: { request: { folder: string; sandbox: string; password: string }; reply: { entries: number } };
  entries: { request: EntryQuery; reply: EntryPage };
  domains: { request: undefined; reply: DomainCount[] };
  entry: { request: { fileId: string }; reply: EntryDetail & { contentSize: number } };
  range: { request: { fileId: string; start: number; end: number }; reply: Uint8Array };
  /** Compares the manifest with the files in the background. */
  integrity: { request: { action: 'start' | 'state' | 'cancel' }; reply: IntegrityCheck };
  integrityFindings: {
    request: Parameters<IntegrityChecker['findings']>[0];
    reply: ReturnType<IntegrityChecker['findings']>;
  };
  contactPicture: { request: { identifier: string }; reply: ContactPicture | null };
  index: { request: { file: string; artifacts: ArtifactName[] }; reply: undefined };
  lock: { request: undefined; reply: undefined };
}
export type CallName = keyof ThreadCalls;

export type ToThread =
  | { [K in CallName]: { id: number; call: K; request: ThreadCalls[K]['request'] } }[CallName]
  | { cancel: number };
export type FromThread =
  | { id: number; ok: true; reply: unknown }
  | { id: number; ok: false; code: ErrorCode | null; params: AnyErrorParams; message: string }
  | { id: number; progress: IndexProgress }
  /** Sent from time to time: the thread is not stuck in native code. */
  | { isAlive: true };

/** Progress of indexing one artifact. */
export type IndexProgress = Omit<ArtifactState, 'finished_at'>;
