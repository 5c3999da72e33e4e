import type { documents as contract } from '../../../../src-shared/contract/documents.ts';
import type { Input } from '../../../../src-shared/contract/endpoint.ts';
import type { LiveMessage } from '../../../../src-shared/contract/live.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { lstatOrNull } from '../../../platform/vault/paths.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { ReadingQueue } from '../ports.ts';
import type { WriteRepository } from '../write-repository.ts';

/** Retries of everything come after all other work. */
const RETRY_ALL_PRIORITY = 10;

export interface ReadingDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  repository: WriteRepository;
  queue: ReadingQueue;
  announce: (message: LiveMessage) => void;
  changed: () => void;
}

export type ReadingRequests = ReturnType<typeof createReadingRequests>;

/** Asks the queue to read documents again, later, or not at all. */
export function createReadingRequests({ db, vault, clock, access, repository, queue, announce, changed }: ReadingDeps) {
  const told = (ids: readonly number[]): void => {
    changed();
    for (const row of repository.getMany([...ids]))
      announce({
        kind: 'document',
        document_id: row.id,
        patient_id: row.patient_id,
        status: row.status,
        change: 'updated',
      });
    queue.wake();
  };
  const waits = (id: number, processAt: string | null): void =>
    repository.update(id, {
      status: 'pending',
      process_at: processAt,
      error_message: null,
      retry_count: 0,
      updated_at: toTimestamp(clock.now()),
    });

  return {
    reprocess(id: number, body: Input<typeof contract.reprocess>['body']): { status: 'queued'; document_id: number } {
      const row = repository.get(id);
      if (!row) throw fail('document.not_found');
      const wanted = [
        ['ocr', body.ocr_provider_id],
        ['llm', body.llm_provider_id],
        ['vision', body.vision_provider_id],
      ] as const;
      for (const [kind, provider] of wanted)
        if (provider && !queue.hasProvider(kind, provider)) throw fail('document.provider_not_found', { id: provider });
      if (body.mode !== 'llm' && !lstatOrNull(vault.resolve(row.file_path))) throw fail('document.file_missing');
      db.transaction(() => {
        queue.enqueue({ kind: 'reprocess', documentId: id, size: 0, options: body });
        // A job in flight goes on; its end will meet the new one.
        if (!queue.isReading(id)) waits(id, null);
      });
      told([id]);
      return { status: 'queued', document_id: id };
    },

    cancel(id: number): { status: 'cancelled'; document_id: number } {
      if (!queue.cancel(id)) throw fail('document.not_waiting');
      changed();
      return { status: 'cancelled', document_id: id };
    },

    retryAllFailed(): { status: 'queued'; count: number } {
      const ids = db.transaction(() =>
        repository.failed().map((row) => {
          queue.enqueue({
            kind: 'reprocess',
            documentId: row.id,
            size: row.file_size,
            priority: RETRY_ALL_PRIORITY,
            options: { mode: 'both' },
          });
          waits(row.id, null);
          return row.id;
        }),
      );
      told(ids);
      return { status: 'queued', count: ids.length };
    },

    /** All or none: one document that the user may not change refuses the batch. */
    scheduleBatch(
      ids: readonly number[],
      processAt: string | null,
      user: UserCaller,
    ): { status: 'scheduled'; count: number } {
      const wanted = [...new Set(ids)];
      for (const id of wanted) access.require({ document: 'write' }, user, id);
      db.transaction(() => {
        for (const id of wanted) {
          queue.enqueue({
            kind: 'reprocess',
            documentId: id,
            size: 0,
            options: { mode: 'both' },
            notBefore: processAt,
          });
          if (!queue.isReading(id)) waits(id, processAt);
        }
      });
      told(wanted);
      return { status: 'scheduled', count: wanted.length };
    },
  };
}
