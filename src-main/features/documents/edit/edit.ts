import { dirname } from 'node:path';
import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { EventBus } from '../../../platform/kernel/events.ts';
import type { Home, NameResolver } from '../../names/service.ts';
import { safeFileName, splitExtension } from '../../../platform/vault/file-name.ts';
import { isAboutPatient } from '../../../reading/extraction/patient-decision.ts';
import { undoUntil } from '../../../platform/vault/trash.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { notifyChanged, notifyDeleted, requireDocument, type NotifyDeps } from '../notify.ts';
import { compareWithHistory } from '../reading/history-doubts.ts';
import { OWN_FILE_NAME, type Placement } from './placement.ts';
import type { ReadingQueue } from '../ports.ts';
import { isAboutRows, remainingReasons } from './review-reasons.ts';
import { correctSummary } from './summary.ts';
import { reindexDocument } from '../list/text-index-repository.ts';
import { isSettled, type DocumentFields, type DocumentRecord } from '../write-repository.ts';

export interface EditDeps extends NotifyDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  names: NameResolver;
  placement: Placement;
  queue: ReadingQueue;
  events: Pick<EventBus, 'emit'>;
}

/** What happens to the lab results of a document that is deleted. */
export type ResultsFate = 'keep_results' | 'with_results';

/** Whether a document is marked as reviewed with its doubtful rows. */
type Rows = 'with_rows' | 'without_rows';

export type DocumentEdits = ReturnType<typeof createEdits>;

/** Edits of a document by a user. Each call is one transaction and also moves the file. */
export function createEdits(deps: EditDeps) {
  return {
    withdraw: (id: number): void => withdrawFromQueue(deps, id),
    prepareRemoval: (ids: readonly number[]): void => prepareRemoval(deps, ids),
    /** Announces documents that were moved to the trash along with something else. */
    notifyDeleted: (ids: readonly number[], patientId: number): void =>
      ids.forEach((id) => notifyDeleted(deps, id, patientId)),
    /** Without a user, as imports do: then a change names neither ids nor a patient. */
    update: (id: number, changes: DocumentChanges, user: UserCaller | null): void =>
      updateDocument(deps, id, changes, user),
    move: (id: number, patientId: number, user: UserCaller): void =>
      updateDocument(deps, id, { patient_id: patientId }, user),
    rename: (id: number, filename: string): void => renameDocument(deps, id, filename),
    markReviewed: (id: number, rows?: Rows): void => markReviewed(deps, id, rows),
    remove: (id: number, fate: ResultsFate, user: UserCaller) => removeDocument(deps, id, fate, user),
  };
}

const now = ({ clock }: EditDeps): string => toTimestamp(clock.now());

/** Applies a PATCH: fields, tags, event and patient; the file is moved to the folder for the new fields. */
export function updateDocument(deps: EditDeps, id: number, changes: DocumentChanges, user: UserCaller | null): void {
  const { vault, repository } = deps;
  const before = requireDocument(repository, id);
  vault.transaction(() => {
    const row = requireDocument(repository, id);
    const fields = columnsOf(deps, row, changes, user);
    if (changes.tags !== undefined) {
      const tags = tagsOf(changes.tags);
      repository.setTags(id, tags);
      fields.tags = tags.length ? tags.join(',') : null;
    }
    saveFields(deps, row, fields);
    if (changes.event_links) setEventLinks(deps, id, changes.event_links);
  });
  announceUpdate(deps, id, before.patient_id);
  const after = repository.get(id)?.patient_id ?? null;
  if (after !== before.patient_id) announceUpdate(deps, id, after);
}

/** Also announced for the previous patient, so that the pages of both refresh. */
function announceUpdate({ announce, repository }: EditDeps, id: number, patientId: number | null): void {
  const status = repository.get(id)?.status ?? null;
  announce({ kind: 'document', document_id: id, patient_id: patientId, status, change: 'updated' });
}

/** Renames the file and its row; the extension does not change. @throws `document.busy`, `document.invalid_name` */
export function renameDocument(deps: EditDeps, id: number, filename: string): void {
  const { db, vault, repository, queue } = deps;
  const row = requireDocument(repository, id);
  if (queue.isReading(id)) throw fail('document.busy');
  const name = fileNameFor(row, filename);
  vault.transaction(() => {
    const path = row.file_path && vault.freePath(dirname(row.file_path), name, row.file_path);
    if (path !== row.file_path) vault.journal.planMove(row.file_path, path);
    repository.update(id, {
      file_path: path,
      original_filename: name,
      edited_fields: [...new Set([...(row.edited_fields ?? []), 'original_filename', OWN_FILE_NAME])],
      updated_at: now(deps),
    });
    reindexDocument(db, id);
  });
  notifyChanged(deps, [id]);
}

/**
 * Clears the review reasons of a document, and the failure of one that could not be read. That also confirms the
 * patient, if one of them asked for them, and the results, unless these are asked about one by one.
 * @throws `document.busy`
 */
export function markReviewed(deps: EditDeps, id: number, rows: Rows = 'with_rows'): void {
  const { db, vault, repository, queue, placement } = deps;
  const row = requireDocument(repository, id);
  if (queue.isReading(id)) throw fail('document.busy');
  const open = rows === 'with_rows' ? [] : (row.review_reasons ?? []).filter(isAboutRows);
  const isDecided = row.status === 'needs_review' || row.status === 'failed';
  vault.transaction(() => {
    repository.update(id, {
      review_reasons: open,
      updated_at: now(deps),
      patient_undecided: false,
      ...(isDecided && { status: open.length === 0 ? ('done' as const) : ('needs_review' as const) }),
      ...(row.status === 'failed' && { error_message: null }),
      ...(confirmsPatient(row) && { edited_fields: [...new Set([...(row.edited_fields ?? []), 'patient_id'])] }),
    });
    if (row.patient_undecided) {
      repository.assignResults(id);
      compareWithHistory(db, id);
    }
    if (rows === 'with_rows') repository.confirmResults(id);
    if (row.status === 'failed') placement.planMove(id);
    correctSummary(repository, id);
    reindexDocument(db, id);
  });
  notifyChanged(deps, [id]);
}

const confirmsPatient = ({ patient_undecided, review_reasons }: DocumentRecord): boolean =>
  patient_undecided || (review_reasons ?? []).some(isAboutPatient);

/**
 * Moves a document to the trash. Its results are moved with it, or stay with the patient, dated as their report.
 * Results of a document whose patient is unknown or undecided are always moved with it.
 */
export function removeDocument(
  deps: EditDeps,
  id: number,
  fate: ResultsFate,
  user: { userId: number | null },
): { status: 'deleted'; document_id: number; trash_id: number; undo_until: string } {
  const { vault, repository } = deps;
  const row = requireDocument(repository, id);
  const trashId = vault.transaction(() => {
    prepareRemoval(deps, [id]);
    const staying = fate === 'keep_results' && row.patient_id !== null && !row.patient_undecided ? 'lab_results' : null;
    if (staying) repository.dateResults(id);
    return vault.trash.addRows(
      'document',
      id,
      { label: row.original_filename, patientId: row.patient_id, deletedByUserId: user.userId },
      { staying },
    );
  });
  notifyDeleted(deps, id, row.patient_id);
  return { status: 'deleted', document_id: id, trash_id: trashId, undo_until: undoUntil(now(deps)) };
}

/**
 * Removes a document from the queue, in the transaction that deletes it. A document that was not read yet is read after
 * it is restored.
 */
export function withdrawFromQueue(deps: EditDeps, id: number): void {
  if (deps.queue.cancel(id)) deps.repository.setStatus(id, 'pending', now(deps));
}

/** Does the same for documents that are deleted without their patient, and gives up what others made of them. */
export function prepareRemoval(deps: EditDeps, ids: readonly number[]): void {
  for (const id of ids) withdrawFromQueue(deps, id);
  void deps.events.emit('documentsDeleted', { documentIds: ids });
}

/** The columns that a request writes, with names resolved to entries (rules 1–3 of PATCH). */
function columnsOf(
  deps: EditDeps,
  row: DocumentRecord,
  changes: DocumentChanges,
  user: UserCaller | null,
): DocumentFields {
  const {
    title,
    doctor_name,
    facility_name,
    tags: _tags,
    original_filename,
    specialty_original,
    patient_id,
    event_id,
    event_links: _links,
    doctor_id,
    facility_id,
    ...plain
  } = changes;
  if (typeof patient_id === 'number' && (patient_id !== row.patient_id || row.patient_undecided))
    if (user === null) throw fail('auth.required');
    else deps.access.requirePatient(user, patient_id, 'write');
  const home = {
    patientId: patient_id === undefined ? row.patient_id : patient_id,
    uploaderId: row.uploaded_by_user_id,
  };
  const fields: DocumentFields = {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...entryColumn(deps, user, home, 'doctors', doctor_id, doctor_name),
    ...entryColumn(deps, user, home, 'facilities', facility_id, facility_name),
    ...specialtyColumns(deps, home, specialty_original),
  };
  if (title !== undefined) fields.title = title?.trim() || null;
  if (original_filename !== undefined) fields.original_filename = fileNameFor(row, original_filename);
  if (patient_id !== undefined && (patient_id !== row.patient_id || row.patient_undecided)) {
    Object.assign(fields, { patient_id, patient_undecided: false });
    // An event belongs to one patient, so it does not follow the document to another.
    if (patient_id !== row.patient_id) fields.event_id = null;
  }
  if (event_id !== undefined) {
    const patientId = patient_id === undefined ? row.patient_id : patient_id;
    if (event_id !== null && deps.repository.event(event_id)?.patient_id !== patientId)
      throw fail('document.event_not_found');
    fields.event_id = event_id;
  }
  return fields;
}

/** The id column of a doctor or facility: by id, otherwise resolved from the name; an empty name clears it. */
function entryColumn(
  { names }: EditDeps,
  user: UserCaller | null,
  home: Home,
  kind: 'doctors' | 'facilities',
  id: number | null | undefined,
  name: string | null | undefined,
): DocumentFields {
  const column = kind === 'doctors' ? 'doctor_id' : 'facility_id';
  if (id !== undefined) {
    if (id !== null && (user === null || !names.knows(user, kind, id)))
      throw fail(kind === 'doctors' ? 'document.doctor_not_found' : 'document.facility_not_found');
    return { [column]: id };
  }
  if (name === undefined) return {};
  return { [column]: name === null || name.trim() === '' ? null : names.resolve(home, kind, name, { auto: false }) };
}

function specialtyColumns({ names }: EditDeps, home: Home, specialty: string | null | undefined): DocumentFields {
  if (specialty === undefined) return {};
  const text = specialty?.trim() || null;
  return {
    specialty_original: text,
    norm_specialty_id: text === null ? null : names.resolve(home, 'specialties', text, { auto: false }),
  };
}

/** The requested name as a safe file name with the document's own extension. @throws `document.invalid_name` */
function fileNameFor(row: DocumentRecord, requested: string): string {
  const extension = splitExtension(row.original_filename)[1];
  const [stem, requestedExtension] = splitExtension(requested.trim());
  const name = requestedExtension.toLowerCase() === extension.toLowerCase() ? stem : requested.trim();
  if (safeFileName(name, '') === '') throw fail('document.invalid_name');
  return safeFileName(`${name}${extension}`);
}

/** Writes edited fields and everything derived from them. Part of the caller's transaction. */
function saveFields(deps: EditDeps, row: DocumentRecord, fields: DocumentFields): void {
  const { db, repository, placement } = deps;
  const edited = Object.keys(fields).filter((field) => field !== 'patient_undecided');
  const reasons = remainingReasons(row.review_reasons ?? [], edited);
  const patientId = fields.patient_id === undefined ? row.patient_id : fields.patient_id;
  const isReviewed = row.status === 'needs_review' && reasons.length === 0 && patientId !== null;
  if (patientId !== row.patient_id)
    deps.names.adopt({ table: 'documents', id: row.id }, { patientId, uploaderId: row.uploaded_by_user_id });
  repository.update(row.id, {
    ...fields,
    review_reasons: reasons,
    edited_fields: [...new Set([...(row.edited_fields ?? []), ...edited])],
    updated_at: now(deps),
    ...(isReviewed && { status: 'done' as const }),
  });
  if (fields.patient_id !== undefined) {
    repository.assignResults(row.id);
    compareWithHistory(db, row.id);
  }
  if (patientId !== row.patient_id) repository.unlinkFromEvents(row.id);
  if (fields.event_id !== undefined && fields.event_id !== row.event_id && row.event_id !== null)
    repository.unlinkFromEvent(row.event_id, row.id);
  if (fields.event_id) {
    repository.demoteOtherEvents(row.id, fields.event_id);
    repository.linkToEvent(fields.event_id, row.id, 'primary');
  }
  repository.recordCorrections(row, fields, now(deps));
  correctSummary(repository, row.id);
  reindexDocument(db, row.id);
  if (isSettled(row.status)) placement.planMove(row.id);
}

/** Replaces the events of a document. @throws `document.event_not_found` for one of another patient */
function setEventLinks(deps: EditDeps, id: number, links: NonNullable<DocumentChanges['event_links']>): void {
  const { db, repository, placement } = deps;
  const { patient_id, status } = requireDocument(repository, id);
  if (links.some(({ event_id }) => repository.event(event_id)?.patient_id !== patient_id))
    throw fail('document.event_not_found');
  repository.unlinkFromEvents(id);
  for (const { event_id, relevance } of links) repository.linkToEvent(event_id, id, relevance);
  const primary = links.find(({ relevance }) => relevance === 'primary')?.event_id ?? null;
  repository.update(id, { event_id: primary });
  reindexDocument(db, id);
  if (isSettled(status)) placement.planMove(id);
}

/** `a, b` or a list, trimmed and without duplicates. A comma separates tags inside a list item, too. */
function tagsOf(tags: string | string[] | null | undefined): string[] {
  const parts = (Array.isArray(tags) ? tags : (tags ?? '').split(','))
    .flatMap((tag) => tag.split(','))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return [...new Map(parts.map((tag) => [tag.toLowerCase(), tag])).values()];
}
