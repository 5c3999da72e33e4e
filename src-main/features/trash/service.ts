import type { trash as contract } from '../../../src-shared/contract/trash.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import { isOfGonePatient, type AccessRules } from '../../platform/access/access.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { EventBus } from '../../platform/kernel/events.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { TrashRepository } from './repository.ts';

const MAX_SHOWN = 500;

export interface TrashDeps {
  vault: Vault;
  access: AccessRules;
  repository: TrashRepository;
  events: EventBus;
}

export type TrashService = ReturnType<typeof createTrashService>;

/** Deleted items, listed only for users who could see them before. */
export function createTrashService({ vault, access, repository, events }: TrashDeps) {
  const purge = (id: number): void => {
    const hashes = repository.contentHashes(id);
    vault.trash.purge(id);
    void events.emit('contentPurged', { hashes });
  };
  return {
    list(user: UserCaller): ReplyInput<typeof contract.list> {
      const items = repository
        .newest()
        .filter((item) =>
          access.may(user, 'read', {
            patientId: item.livingPatientId,
            uploaderId: item.deleted_by_user_id,
            ofGonePatient: isOfGonePatient({ ...item, ofPatient: item.patient_id, patientId: item.livingPatientId }),
          }),
        )
        .slice(0, MAX_SHOWN);
      const documents = repository.documents(items.map(({ id }) => id));
      return {
        items: items.map((item) => ({
          ...item,
          document: documents.get(item.id) ?? null,
          undo_until: undoUntil(item.deleted_at),
        })),
      };
    },
    async restore(id: number, user: UserCaller): Promise<ReplyInput<typeof contract.restore>> {
      const eventId = repository.eventId(id);
      const patientId = repository.patientId(id);
      const back = vault.transaction((): ReplyInput<typeof contract.restore> => {
        const touched = vault.trash.affectedDocuments(id);
        const name = vault.trash.nameIn(id);
        const { document_ids, notRestored } = vault.trash.restore(id, {
          mayKnow: (patientId, uploaderId) => access.may(user, 'read', { patientId, uploaderId }),
          mayChange: (patientId, uploaderId) => access.may(user, 'write', { patientId, uploaderId }),
        });
        void events.emit('documentsRestored', { documentIds: document_ids, touchedIds: touched, eventId });
        if (patientId !== null) void events.emit('patientIdentified', { patientId });
        if (name) void events.emit('nameRestored', name);
        return {
          ok: true,
          // A study may have been united with one that is there.
          document_ids: repository.existing(document_ids),
          separate_studies: repository.studiesBesideOthers(document_ids),
          not_restored: notRestored.map((one) => ({ ...one, reason: 'content_present' })),
        };
      });
      if (eventId !== null) await events.emit('eventRestored', { eventId });
      return back;
    },
    purge(id: number): { ok: true } {
      purge(id);
      return { ok: true };
    },
    /** Purges items deleted before the given time; called at startup. */
    purgeExpired: (before: string): number => repository.deletedBefore(before).map(purge).length,
  };
}
