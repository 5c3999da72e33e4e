import type { trash as contract } from '../../src-shared/contract/today.ts';
import type { ReplyInput } from '../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../access/access.ts';
import type { UserCaller } from '../kernel/caller.ts';
import { undoUntil } from '../vault/trash.ts';
import type { Vault } from '../vault/vault.ts';
import type { TrashRepository } from './repository.ts';

export interface TrashDeps {
  vault: Vault; access: AccessRules; repository: TrashRepository;
  /** Called in the transaction that brings documents back. */
  restored(documentIds: readonly number[]): void;
  /** Content went for good. */
  purged(hashes: readonly string[]): void;
}

export type TrashService = ReturnType<typeof createTrashService>;

/** What was deleted, for the people who could see it. */
export function createTrashService({ vault, access, repository, restored, purged }: TrashDeps) {
  const purge = (id: number): void => {
    const hashes = repository.contentHashes(id);
    vault.trash.purge(id);
    purged(hashes);
  };
  return {
    list: (user: UserCaller): ReplyInput<typeof contract.list> => ({
      items: repository.newest()
        .filter((item) => access.may(user, 'read', { patientId: item.livingPatientId, uploaderId: item.deleted_by_user_id }))
        .map((item) => ({ ...item, undo_until: undoUntil(item.deleted_at) })),
    }),
    restore(id: number): { ok: true; document_ids: number[] } {
      return vault.change(() => {
        const { document_ids } = vault.trash.restore(id);
        restored(document_ids);
        return { ok: true, document_ids };
      });
    },
    purge(id: number): { ok: true } {
      purge(id);
      return { ok: true };
    },
    /** At start: what was deleted more than 30 days ago. */
    purgeExpired: (before: string): number => repository.deletedBefore(before).map(purge).length,
  };
}
