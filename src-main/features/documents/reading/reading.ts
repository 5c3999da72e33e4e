import type { documents as contract } from '../../../../src-shared/contract/documents.ts';
import type { Input, Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { lstatOrNull } from '../../../platform/vault/paths.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { notifyChanged, requireDocument, type NotifyDeps } from '../notify.ts';
import type { ReadingQueue } from '../ports.ts';
import type { DocumentRecord } from '../write-repository.ts';

/** Bulk retries run after all other work. */
const RETRY_ALL_PRIORITY = 10;
/** Time for each page that was not read in five minutes, when a user asks for it. */
const REQUESTED_PAGE_MINUTES = 15;

export interface ReadingDeps extends NotifyDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  queue: ReadingQueue;
}

/** What a mode reads with. */
const NEEDED: Readonly<Record<ReprocessOptions['mode'], readonly string[]>> = {
  both: ['ocr', 'llm'],
  ocr: ['ocr'],
  llm: ['llm'],
  vision_llm: [],
};

type ReprocessOptions = Input<typeof contract.reprocess>['body'];

export type ReadingRequests = ReturnType<typeof createReadingRequests>;

/** Requests to read documents again or later, or to cancel reading. */
export function createReadingRequests(deps: ReadingDeps) {
  return {
    reprocess: (id: number, options: ReprocessOptions) => reprocessDocument(deps, id, options),
    cancel: (id: number) => cancelReading(deps, id),
    retryAllFailed: () => retryAllFailed(deps),
    scheduleBatch: (ids: readonly number[], processAt: string | null, user: UserCaller) =>
      scheduleBatch(deps, ids, processAt, user),
  };
}

function setPending({ repository, clock }: ReadingDeps, id: number, processAt: string | null): void {
  repository.update(id, {
    status: 'pending',
    process_at: processAt,
    error_message: null,
    retry_count: 0,
    updated_at: toTimestamp(clock.now()),
  });
}

/**
 * Queues a document for reading. A document whose text was never read is read from its file, whatever the mode. What
 * cannot run is refused, because a failed reading would spoil a document that is done.
 * @throws `document.no_file`, `document.provider_not_found`, `document.file_missing`, `reading.no_vision_model`,
 *   `reading.nothing_set_up`
 */
export function reprocessDocument(
  deps: ReadingDeps,
  id: number,
  requested: ReprocessOptions,
): { status: 'queued'; document_id: number } {
  const { db, vault, repository, queue } = deps;
  const row = requireDocument(repository, id);
  if (row.file_path === '') throw fail('document.no_file');
  const hasNoText = requested.mode === 'llm' && repository.pages(id).length === 0;
  const options = hasNoText ? { ...requested, mode: 'both' as const } : requested;
  const providers = [
    ['ocr', options.ocr_provider_id],
    ['llm', options.llm_provider_id],
    ['vision', options.vision_provider_id],
  ] as const;
  for (const [kind, provider] of providers)
    if (provider && !queue.hasProvider(kind, provider)) throw fail('document.provider_not_found', { id: provider });
  if (options.mode === 'vision_llm' && !queue.hasProvider('vision', null)) throw fail('reading.no_vision_model');
  for (const [kind, provider] of providers)
    if (NEEDED[options.mode].includes(kind) && !provider && !queue.hasProvider(kind, null))
      throw fail('reading.nothing_set_up');
  if (options.mode !== 'llm' && !lstatOrNull(vault.resolve(row.file_path))) throw fail('document.file_missing');
  db.transaction(() => {
    queue.enqueue({
      kind: 'reprocess',
      documentId: id,
      size: 0,
      options: { ...options, ...moreTimeFor(row, options) },
    });
    // A running job continues; the new one runs after it.
    if (!queue.isReading(id)) setPending(deps, id, null);
  });
  notifyChanged(deps, [id]);
  queue.wake();
  return { status: 'queued', document_id: id };
}

/** Pages that took too long are read again with more time than the reader gives them by itself. */
const moreTimeFor = (
  { review_reasons }: DocumentRecord,
  { ocr_provider_id }: ReprocessOptions,
): { isSlow?: true; unreadPageMinutes?: number } =>
  !ocr_provider_id && review_reasons?.some(({ code }) => code === 'unread_pages')
    ? { isSlow: true, unreadPageMinutes: REQUESTED_PAGE_MINUTES }
    : {};

/** Removes a document from the queue. @throws `document.not_queued` */
export function cancelReading({ queue }: ReadingDeps, id: number): Reply<typeof contract.cancel> {
  const wasBeingRead = queue.isReading(id);
  if (!queue.cancel(id)) throw fail('document.not_queued');
  return { status: 'cancelled', document_id: id, hard_cancelled: wasBeingRead };
}

/** Queues all failed documents once more. */
export function retryAllFailed(deps: ReadingDeps): { status: 'queued'; count: number } {
  const { db, repository, queue } = deps;
  const ids = db.transaction(() =>
    repository.failed().map((row) => {
      queue.enqueue({
        kind: 'reprocess',
        documentId: row.id,
        size: row.file_size,
        priority: RETRY_ALL_PRIORITY,
        options: { mode: 'both' },
      });
      setPending(deps, row.id, null);
      return row.id;
    }),
  );
  notifyChanged(deps, ids);
  queue.wake();
  return { status: 'queued', count: ids.length };
}

/**
 * Queues documents for a given time. If the user may not change one of them, or one has no file, the whole batch is
 * rejected.
 * @throws `document.no_file`
 */
export function scheduleBatch(
  deps: ReadingDeps,
  documentIds: readonly number[],
  processAt: string | null,
  user: UserCaller,
): Reply<typeof contract.scheduleBatch> {
  const { db, access, queue, repository } = deps;
  const ids = [...new Set(documentIds)];
  for (const id of ids) access.require({ document: 'write' }, user, id);
  if (repository.getMany(ids).some((row) => row.file_path === '')) throw fail('document.no_file');
  db.transaction(() => {
    for (const id of ids) {
      queue.enqueue({ kind: 'reprocess', documentId: id, size: 0, options: { mode: 'both' }, notBefore: processAt });
      if (!queue.isReading(id)) setPending(deps, id, processAt);
    }
  });
  notifyChanged(deps, ids);
  queue.wake();
  return { status: 'scheduled', count: ids.length, scheduled: ids.length, process_at: processAt };
}
