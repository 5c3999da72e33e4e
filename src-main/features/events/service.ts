import type { events as contract, EventChanges, NewEvent, Relevance } from '../../../src-shared/contract/events.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Documents } from '../documents/service.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { NameResolver } from '../names/service.ts';
import { slugOf } from '../../platform/vault/slug.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { datesAfter } from './dates.ts';
import { createEventRepository, type EventFields, type EventRecord } from './repository.ts';

/** Leaves room for `-2` within the longest slug. */
const SLUG_STEM = 56;
const NO_DATES = { date_start: null, date_end: null, is_ongoing: false };

export interface EventDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  names: NameResolver;
  documents: Pick<Documents, 'belonging' | 'edits' | 'episodes' | 'queries'>;
  announce: (message: LiveMessage) => void;
}

export type EventService = ReturnType<typeof createEvents>;

/** Medical episodes. Each change is one transaction with the moves of the documents' files promised in it. */
export function createEvents({ db, vault, clock, access, names, documents, announce }: EventDeps) {
  const repository = createEventRepository(db);
  const { episodes } = documents;
  const now = (): string => toTimestamp(clock.now());
  const mustGet = (id: number): EventRecord => {
    const row = repository.get(id);
    if (!row) throw fail('event.not_found');
    return row;
  };
  const told = (
    id: number,
    patientId: number,
    change: 'created' | 'updated' | 'deleted',
    documentIds: readonly number[] = [],
  ): void => {
    announce({ kind: 'event', event_id: id, patient_id: patientId, change });
    episodes.notifyChanged(documentIds);
  };

  /** `fatigue`, then `fatigue-2`: the folder of the event within each year of the patient. */
  function freeSlug(patientId: number, title: string): string {
    const base = slugOf(title, 'event');
    for (let n = 1; ; n += 1) {
      const slug = n === 1 ? base : `${base.slice(0, SLUG_STEM)}-${n}`;
      if (!repository.hasSlug(patientId, slug)) return slug;
    }
  }
  /** Texts without blanks around; an empty one is none. */
  function textsOf(changes: EventChanges | NewEvent): EventFields {
    const { description, severity, diagnosis_text, icd10_code, notes, color, event_type, specialty_text } = changes;
    const texts = {
      description,
      diagnosis_text,
      icd10_code: icd10_code?.toUpperCase() ?? icd10_code,
      notes,
      specialty_text,
    };
    const fields: EventFields = {
      ...Object.fromEntries(
        Object.entries(texts)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, value?.trim() || null]),
      ),
    };
    if (fields.specialty_text !== undefined)
      fields.norm_specialty_id =
        fields.specialty_text === null ? null : names.resolve('specialties', fields.specialty_text, { auto: false });
    if (fields.diagnosis_text !== undefined)
      fields.norm_diagnosis_id =
        fields.diagnosis_text === null
          ? null
          : names.resolve('diagnoses', fields.diagnosis_text, { auto: false, code: fields.icd10_code ?? null });
    return {
      ...fields,
      ...(severity !== undefined && { severity }),
      ...(color !== undefined && { color }),
      ...(event_type !== undefined && { event_type }),
    };
  }

  return {
    list(
      { patient_id, event_type, limit, offset }: Input<typeof contract.list>['query'],
      user: UserCaller,
    ): ReplyInput<typeof contract.list> {
      const patientIds = patient_id === undefined ? access.visiblePatients(user.userId) : [patient_id];
      return { ...repository.list({ patientIds, types: event_type, limit, offset }), limit, offset };
    },

    get(id: number): ReplyInput<typeof contract.get> {
      const row = repository.wire(id);
      if (!row) throw fail('event.not_found');
      const links = repository.links(id);
      const items = new Map(
        documents.queries.byIds(links.map((link) => link.document_id)).map((item) => [item.id, item]),
      );
      return {
        ...row,
        documents: links.flatMap(({ document_id, relevance, auto_linked }) => {
          const item = items.get(document_id);
          return item ? [{ ...item, relevance, auto_linked }] : [];
        }),
      };
    },

    create(body: NewEvent): { id: number; title: string } {
      const { patient_id, title } = body;
      const id = db.transaction(() =>
        repository.insert({
          event_type: 'other',
          ...textsOf(body),
          ...datesAfter(NO_DATES, body),
          patient_id,
          title,
          slug: freeSlug(patient_id, title),
          created_at: now(),
          updated_at: now(),
        }),
      );
      told(id, patient_id, 'created');
      return { id, title };
    },

    /** Answers when the files of its documents lie in its folder. */
    async update(id: number, changes: EventChanges, user: UserCaller): Promise<{ ok: true }> {
      const moved = vault.transaction((): readonly number[] => {
        const before = mustGet(id);
        const patientId = changes.patient_id ?? before.patient_id;
        if (patientId !== before.patient_id) {
          access.requirePatient(user, patientId, 'write');
          if (repository.documentCount(id) > 0) throw fail('event.has_documents');
        }
        const title = changes.title ?? before.title;
        const keepsFolder = patientId === before.patient_id && slugOf(title, 'event') === slugOf(before.title, 'event');
        repository.update(id, {
          ...textsOf(changes),
          ...datesAfter(before, changes),
          patient_id: patientId,
          title,
          ...(!keepsFolder && { slug: freeSlug(patientId, title) }),
          updated_at: now(),
        });
        return title === before.title ? [] : episodes.refileAll(id);
      });
      told(id, mustGet(id).patient_id, 'updated', moved);
      await episodes.refiled(id);
      return { ok: true };
    },

    /** Its documents become free and their files leave its folder; or they go along into the same item of the trash. */
    async remove(
      id: number,
      fate: 'free_documents' | 'delete_documents',
      user: UserCaller,
    ): Promise<{ ok: true; trash_id: number; undo_until: string; document_ids: number[] }> {
      const row = mustGet(id);
      const { trashId, documentIds, freed } = vault.transaction(() => {
        const documentIds = repository.documentIds(id);
        const along = fate === 'delete_documents' ? documentIds : [];
        along.forEach(documents.edits.withdraw);
        const trashId = vault.trash.addRows(
          'event',
          id,
          { label: row.title, patientId: row.patient_id, deletedByUserId: user.userId },
          { alongDocuments: along },
        );
        const freed = fate === 'free_documents' ? episodes.refileEach(id, documentIds) : [];
        return { trashId, documentIds, freed };
      });
      told(id, row.patient_id, 'deleted', freed);
      if (fate === 'delete_documents') documents.edits.notifyDeleted(documentIds, row.patient_id);
      await episodes.refiled(id);
      return { ok: true, trash_id: trashId, undo_until: undoUntil(now()), document_ids: documentIds };
    },

    link(id: number, documentId: number, relevance: Relevance, user: UserCaller): { ok: true } {
      const { patient_id } = mustGet(id);
      const belonging = documents.belonging(documentId);
      if (!belonging || !access.may(user, 'read', belonging)) throw fail('document.not_found');
      if (belonging.patientId !== patient_id) throw fail('event.patient_mismatch');
      vault.transaction(() => episodes.join(documentId, id, relevance));
      told(id, patient_id, 'updated', [documentId]);
      return { ok: true };
    },

    unlink(id: number, documentId: number): { ok: true } {
      const { patient_id } = mustGet(id);
      vault.transaction(() => {
        if (!episodes.leave(documentId, id)) throw fail('event.not_linked');
      });
      told(id, patient_id, 'updated', [documentId]);
      return { ok: true };
    },

    /** An event came back from the trash. */
    restored(id: number): Promise<void> {
      const row = repository.get(id);
      if (row) told(id, row.patient_id, 'created');
      return episodes.refiled(id);
    },
  };
}
