import type { trash as contract } from '../../../src-shared/contract/trash.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import { isOfGonePatient, type AccessRules } from '../../platform/access/access.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { TrashRepository } from './repository.ts';

export interface TrashDeps {
  vault: Vault;
  access: AccessRules;
  repository: TrashRepository;
  /** Called in the transaction that brings documents back, or something to documents (`touched`): the event, where there is one. */
  restored(documentIds: readonly number[], touched: readonly number[], eventId: number | null): void;
  /** Called after an event came back; resolves when its documents have followed. */
  eventRestored(id: number): Promise<void>;
  /** Called in the transaction that brings a canonical name back. */
  nameRestored(name: { table: string; id: number }): void;
  /** Content went for good. */
  purged(hashes: readonly string[]): void;
}

export type TrashService = ReturnType<typeof createTrashService>;

/** What was deleted, for the people who could see it. */
export function createTrashService({
  vault,
  access,
  repository,
  restored,
  eventRestored,
  nameRestored,
  purged,
}: TrashDeps) {
  const purge = (id: number): void => {
    const hashes = repository.contentHashes(id);
    vault.trash.purge(id);
    purged(hashes);
  };
  return {
    list: (user: UserCaller): ReplyInput<typeof contract.list> => ({
      items: repository
        .newest()
        .filter((item) =>
          access.may(user, 'read', {
            patientId: item.livingPatientId,
            uploaderId: item.deleted_by_user_id,
            ofGonePatient: isOfGonePatient({ ...item, ofPatient: item.patient_id, patientId: item.livingPatientId }),
          }),
        )
        .map((item) => ({ ...item, undo_until: undoUntil(item.deleted_at) })),
    }),
    async restore(id: number): Promise<ReplyInput<typeof contract.restore>> {
      const eventId = repository.eventId(id);
      const back = vault.change((): ReplyInput<typeof contract.restore> => {
        const touched = vault.trash.touches(id);
        const name = vault.trash.nameIn(id);
        const { document_ids, left } = vault.trash.restore(id);
        restored(document_ids, touched, eventId);
        if (name) nameRestored(name);
        return { ok: true, document_ids, not_restored: left.map((one) => ({ ...one, reason: 'content_present' })) };
      });
      if (eventId !== null) await eventRestored(eventId);
      return back;
    },
    purge(id: number): { ok: true } {
      purge(id);
      return { ok: true };
    },
    /** At start: what was deleted more than 30 days ago. */
    purgeExpired: (before: string): number => repository.deletedBefore(before).map(purge).length,
  };
}
