import { dirname } from 'node:path';
import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import type { LiveMessage } from '../../../../src-shared/contract/live.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { Names } from '../../names/service.ts';
import { safeFileName, splitExtension } from '../../../platform/vault/file-name.ts';
import { undoUntil } from '../../../platform/vault/trash.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { OWN_FILE_NAME, type Placement } from './placement.ts';
import type { ReadingQueue } from '../ports.ts';
import { remainingReasons } from './review-reasons.ts';
import { reindexDocument } from '../list/text-index.ts';
import { isSettled, type DocumentFields, type DocumentRecord, type WriteRepository } from '../write-repository.ts';

export interface EditDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  repository: WriteRepository;
  names: Names;
  placement: Placement;
  queue: ReadingQueue;
  announce: (message: LiveMessage) => void;
  changed: () => void;
}

export type DocumentEdits = ReturnType<typeof createEdits>;

/** What a person changes about a document. Each call is one transaction, with the file moved along. */
export function createEdits({
  db,
  vault,
  clock,
  access,
  repository,
  names,
  placement,
  queue,
  announce,
  changed,
}: EditDeps) {
  const now = (): string => toTimestamp(clock.now());
  const mustGet = (id: number): DocumentRecord => {
    const row = repository.get(id);
    if (!row) throw fail('document.not_found');
    return row;
  };
  const told = (id: number, change: 'updated' | 'deleted', patientId: number | null): void => {
    changed();
    announce({
      kind: 'document',
      document_id: id,
      patient_id: patientId,
      status: change === 'deleted' ? null : (repository.get(id)?.status ?? null),
      change,
    });
  };

  /** The columns that a request writes, with names resolved to entries (rules 1–3 of PATCH). */
  function columnsOf(row: DocumentRecord, changes: DocumentChanges, user: UserCaller): DocumentFields {
    const {
      doctor_name,
      facility_name,
      tags: _tags,
      original_filename,
      specialty_original,
      patient_id,
      event_id,
      doctor_id,
      facility_id,
      ...plain
    } = changes;
    const fields: DocumentFields = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
    Object.assign(
      fields,
      named(user, 'doctors', 'doctor_id', doctor_id, doctor_name),
      named(user, 'facilities', 'facility_id', facility_id, facility_name),
    );
    if (specialty_original !== undefined) {
      const text = specialty_original?.trim() || null;
      Object.assign(fields, {
        specialty_original: text,
        norm_specialty_id: text === null ? null : names.resolve('specialties', text, { auto: false }),
      });
    }
    if (original_filename !== undefined) fields.original_filename = renamed(row, original_filename);
    if (patient_id !== undefined && patient_id !== row.patient_id) {
      if (patient_id !== null) access.requirePatient(user, patient_id, 'write');
      // An episode belongs to one patient; it does not come along.
      Object.assign(fields, { patient_id, event_id: null });
    }
    if (event_id !== undefined) {
      if (
        event_id !== null &&
        repository.event(event_id)?.patient_id !== (patient_id === undefined ? row.patient_id : patient_id)
      )
        throw fail('document.event_not_found');
      fields.event_id = event_id;
    }
    return fields;
  }

  function named(
    user: UserCaller,
    kind: 'doctors' | 'facilities',
    column: 'doctor_id' | 'facility_id',
    id: number | null | undefined,
    name: string | null | undefined,
  ): DocumentFields {
    if (id !== undefined) {
      if (id !== null && !names.knows(user, kind, id))
        throw fail(kind === 'doctors' ? 'document.doctor_not_found' : 'document.facility_not_found');
      return { [column]: id };
    }
    if (name === undefined) return {};
    return { [column]: name === null || name.trim() === '' ? null : names.resolve(kind, name, { auto: false }) };
  }

  function renamed(row: DocumentRecord, asked: string): string {
    const extension = splitExtension(row.original_filename)[1];
    const [stem, given] = splitExtension(asked.trim());
    const wanted = given.toLowerCase() === extension.toLowerCase() ? stem : asked.trim();
    if (safeFileName(wanted, '') === '') throw fail('document.bad_name');
    return safeFileName(`${wanted}${extension}`);
  }

  function write(row: DocumentRecord, fields: DocumentFields, edited: readonly string[]): void {
    const reasons = remainingReasons(row.review_reasons ?? [], edited);
    const patientId = fields.patient_id === undefined ? row.patient_id : fields.patient_id;
    const settled = row.status === 'needs_review' && reasons.length === 0 && patientId !== null;
    repository.update(row.id, {
      ...fields,
      review_reasons: reasons,
      edited_fields: [...new Set([...(row.edited_fields ?? []), ...edited])],
      updated_at: now(),
      ...(settled && { status: 'done' as const }),
    });
    if (patientId !== row.patient_id) {
      repository.moveRows(row.id, patientId);
      repository.unlinkFromEvents(row.id);
    }
    if (fields.event_id !== undefined && fields.event_id !== row.event_id && row.event_id !== null)
      repository.unlinkFromEvent(row.event_id, row.id);
    if (fields.event_id) {
      repository.demoteOtherEvents(row.id, fields.event_id);
      repository.linkToEvent(fields.event_id, row.id, 'primary');
    }
    repository.recordCorrections(row, fields, now());
    reindexDocument(db, row.id);
    if (isSettled(row.status)) placement.promiseMove(row.id);
  }

  /** Out of the queue, in the transaction that takes the document away: what had not been read yet is read when it comes back. */
  function withdraw(id: number): void {
    if (queue.cancel(id)) repository.setStatus(id, 'pending', now());
  }

  return {
    withdraw,
    /** Tells that documents went to the trash along with something else. */
    gone: (ids: readonly number[], patientId: number): void => ids.forEach((id) => told(id, 'deleted', patientId)),
    update(id: number, changes: DocumentChanges, user: UserCaller): void {
      const before = mustGet(id);
      vault.change(() => {
        const row = mustGet(id);
        const fields = columnsOf(row, changes, user);
        if (changes.tags !== undefined) {
          const tags = tagsOf(changes.tags);
          repository.setTags(id, tags);
          fields.tags = tags.length ? tags.join(',') : null;
        }
        write(row, fields, Object.keys(fields));
      });
      told(id, 'updated', before.patient_id);
      const after = repository.get(id)?.patient_id ?? null;
      if (after !== before.patient_id) told(id, 'updated', after);
    },

    move(id: number, patientId: number, user: UserCaller): void {
      this.update(id, { patient_id: patientId }, user);
    },

    /** On disk and in the row; the extension stays. */
    rename(id: number, filename: string): void {
      const row = mustGet(id);
      if (queue.isReading(id)) throw fail('document.busy');
      const name = renamed(row, filename);
      vault.change(() => {
        const path = vault.freePath(dirname(row.file_path), name, row.file_path);
        if (path !== row.file_path) vault.journal.promise(row.file_path, path);
        repository.update(id, {
          file_path: path,
          original_filename: name,
          edited_fields: [...new Set([...(row.edited_fields ?? []), 'original_filename', OWN_FILE_NAME])],
          updated_at: now(),
        });
        reindexDocument(db, id);
      });
      told(id, 'updated', row.patient_id);
    },

    markReviewed(id: number): void {
      const row = mustGet(id);
      if (queue.isReading(id)) throw fail('document.busy');
      db.transaction(() =>
        repository.update(id, {
          review_reasons: [],
          updated_at: now(),
          ...(row.status === 'needs_review' && { status: 'done' as const }),
        }),
      );
      told(id, 'updated', row.patient_id);
    },

    /** Its results go along, or stay with the patient, dated as their report; nobody's results go along. */
    remove(
      id: number,
      fate: 'keep_results' | 'with_results',
      user: UserCaller,
    ): { status: 'deleted'; document_id: number; trash_id: number; undo_until: string } {
      const row = mustGet(id);
      const trashId = vault.change(() => {
        withdraw(id);
        const staying = fate === 'keep_results' && row.patient_id !== null ? 'lab_results' : null;
        if (staying) repository.dateResults(id);
        return vault.trash.takeRows(
          'document',
          id,
          { label: row.original_filename, patientId: row.patient_id, deletedByUserId: user.userId },
          { staying },
        );
      });
      told(id, 'deleted', row.patient_id);
      return { status: 'deleted', document_id: id, trash_id: trashId, undo_until: undoUntil(now()) };
    },
  };
}

/** `a, b` or a list: trimmed, without repeats; a comma inside a tag would part it. */
function tagsOf(tags: string | string[] | null | undefined): string[] {
  const parts = (Array.isArray(tags) ? tags : (tags ?? '').split(','))
    .flatMap((tag) => tag.split(','))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return [...new Map(parts.map((tag) => [tag.toLowerCase(), tag])).values()];
}
