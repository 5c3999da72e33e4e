import type { events as contract, EventChanges, NewEvent, Relevance } from '../../../src-shared/contract/events.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Documents } from '../documents/service.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { NameResolver } from '../names/service.ts';
import { slugOf } from '../../platform/vault/slug.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { datesAfter } from './dates.ts';
import { createEventRepository, type EventFields, type EventRecord, type EventRepository } from './repository.ts';

/** Leaves room for `-2` within the longest slug. */
const MAX_SLUG_STEM = 56;
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

interface Deps extends EventDeps {
  repository: EventRepository;
}

/** Medical events. Each change is one transaction that also journals the moves of the documents' files. */
export function createEvents(dependencies: EventDeps) {
  const deps: Deps = { ...dependencies, repository: createEventRepository(dependencies.db) };
  return {
    list: (query: ListQuery, user: UserCaller) => listEvents(deps, query, user),
    get: (id: number) => getEvent(deps, id),
    create: (body: NewEvent) => createEvent(deps, body),
    update: (id: number, changes: EventChanges, user: UserCaller) => updateEvent(deps, id, changes, user),
    remove: (id: number, fate: DocumentsFate, user: UserCaller) => removeEvent(deps, id, fate, user),
    link: (id: number, documentId: number, relevance: Relevance, user: UserCaller) =>
      linkDocument(deps, id, documentId, relevance, user),
    unlink: (id: number, documentId: number) => unlinkDocument(deps, id, documentId),
    finishRestore: (id: number) => finishRestore(deps, id),
  };
}

type ListQuery = Input<typeof contract.list>['query'];
/** What happens to the documents of an event that is deleted. */
type DocumentsFate = 'free_documents' | 'delete_documents';

const now = ({ clock }: Deps): string => toTimestamp(clock.now());
const requireEvent = ({ repository }: Deps, id: number): EventRecord =>
  orNotFound(repository.get(id), 'event.not_found');

/** Announces a change of an event and its documents after the transaction. */
function notifyChanged(
  { announce, documents }: Deps,
  id: number,
  patientId: number,
  change: 'created' | 'updated' | 'deleted',
  documentIds: readonly number[] = [],
): void {
  announce({ kind: 'event', event_id: id, patient_id: patientId, change });
  documents.episodes.notifyChanged(documentIds);
}

/** `fatigue`, then `fatigue-2`: the name of the event's folder within each year of the patient. */
function freeSlug({ repository }: Deps, patientId: number, title: string): string {
  const base = slugOf(title, 'event');
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? base : `${base.slice(0, MAX_SLUG_STEM)}-${n}`;
    if (!repository.hasSlug(patientId, slug)) return slug;
  }
}

/** The columns of a request without dates: text is trimmed, empty text becomes null, names are resolved to entries. */
function columnsOf({ names }: Deps, patientId: number, changes: EventChanges | NewEvent): EventFields {
  const home = { patientId, uploaderId: null };
  const { description, severity, diagnosis_text, icd10_code, notes, color, event_type, specialty_text } = changes;
  const code = icd10_code?.toUpperCase() ?? icd10_code;
  const texts = { description, diagnosis_text, icd10_code: code, notes, specialty_text };
  const fields: EventFields = Object.fromEntries(
    Object.entries(texts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value?.trim() || null]),
  );
  const { specialty_text: specialty, diagnosis_text: diagnosis } = fields;
  return {
    ...fields,
    ...(specialty !== undefined && {
      norm_specialty_id: specialty === null ? null : names.resolve(home, 'specialties', specialty, { auto: false }),
    }),
    ...(diagnosis !== undefined && {
      norm_diagnosis_id:
        diagnosis === null
          ? null
          : names.resolve(home, 'diagnoses', diagnosis, { auto: false, code: fields.icd10_code ?? null }),
    }),
    ...(severity !== undefined && { severity }),
    ...(color !== undefined && { color }),
    ...(event_type !== undefined && { event_type }),
  };
}

function listEvents(
  { repository, access }: Deps,
  { patient_id, event_type, limit, offset }: ListQuery,
  user: UserCaller,
): ReplyInput<typeof contract.list> {
  const patientIds = patient_id === undefined ? access.visiblePatients(user.userId) : [patient_id];
  return { ...repository.list({ patientIds, types: event_type, limit, offset }), limit, offset };
}

/** An event with its documents, oldest first. */
function getEvent({ repository, documents }: Deps, id: number): ReplyInput<typeof contract.get> {
  const row = orNotFound(repository.wire(id), 'event.not_found');
  const links = repository.links(id);
  const items = new Map(documents.queries.byIds(links.map((link) => link.document_id)).map((item) => [item.id, item]));
  return {
    ...row,
    documents: links.flatMap((link) => {
      const item = items.get(link.document_id);
      return item ? [{ ...item, ...link }] : [];
    }),
  };
}

function createEvent(deps: Deps, body: NewEvent): { id: number; title: string } {
  const { db, repository } = deps;
  const { patient_id, title } = body;
  const id = db.transaction(() =>
    repository.insert({
      event_type: 'other',
      ...columnsOf(deps, patient_id, body),
      ...datesAfter(NO_DATES, body),
      patient_id,
      title,
      slug: freeSlug(deps, patient_id, title),
      created_at: now(deps),
      updated_at: now(deps),
    }),
  );
  notifyChanged(deps, id, patient_id, 'created');
  return { id, title };
}

/** Changes an event. Resolves when the files of its documents are in its folder. */
async function updateEvent(deps: Deps, id: number, changes: EventChanges, user: UserCaller): Promise<{ ok: true }> {
  const { vault, access, repository } = deps;
  const { episodes } = deps.documents;
  const refiledIds = vault.transaction((): readonly number[] => {
    const before = requireEvent(deps, id);
    const patientId = changes.patient_id ?? before.patient_id;
    if (patientId !== before.patient_id) {
      access.requirePatient(user, patientId, 'write');
      if (repository.documentCount(id) > 0) throw fail('event.has_documents');
      deps.names.adopt({ table: 'events', id }, { patientId, uploaderId: null });
    }
    const title = changes.title ?? before.title;
    const keepsFolder = patientId === before.patient_id && slugOf(title, 'event') === slugOf(before.title, 'event');
    repository.update(id, {
      ...columnsOf(deps, patientId, changes),
      ...datesAfter(before, changes),
      patient_id: patientId,
      title,
      ...(!keepsFolder && { slug: freeSlug(deps, patientId, title) }),
      updated_at: now(deps),
    });
    return title === before.title ? [] : episodes.refileAll(id);
  });
  notifyChanged(deps, id, requireEvent(deps, id).patient_id, 'updated', refiledIds);
  await episodes.waitForRefiling(id);
  return { ok: true };
}

/** Moves an event to the trash. Its documents are unlinked and leave its folder, or are part of the same trash item. */
async function removeEvent(
  deps: Deps,
  id: number,
  fate: DocumentsFate,
  user: UserCaller,
): Promise<{ ok: true; trash_id: number; undo_until: string; document_ids: number[] }> {
  const { vault, repository, documents } = deps;
  const { episodes } = documents;
  const row = requireEvent(deps, id);
  const { trashId, documentIds, unlinkedIds } = vault.transaction(() => {
    const documentIds = repository.documentIds(id);
    const along = fate === 'delete_documents' ? documentIds : [];
    documents.edits.prepareRemoval(along);
    const trashId = vault.trash.addRows(
      'event',
      id,
      { label: row.title, patientId: row.patient_id, deletedByUserId: user.userId },
      { alongDocuments: along },
    );
    const unlinkedIds = fate === 'free_documents' ? episodes.refileEach(id, documentIds) : [];
    return { trashId, documentIds, unlinkedIds };
  });
  notifyChanged(deps, id, row.patient_id, 'deleted', unlinkedIds);
  if (fate === 'delete_documents') documents.edits.notifyDeleted(documentIds, row.patient_id);
  await episodes.waitForRefiling(id);
  return { ok: true, trash_id: trashId, undo_until: undoUntil(now(deps)), document_ids: documentIds };
}

function linkDocument(
  deps: Deps,
  id: number,
  documentId: number,
  relevance: Relevance,
  user: UserCaller,
): { ok: true } {
  const { vault, access, documents } = deps;
  const { patient_id } = requireEvent(deps, id);
  const belonging = documents.belonging(documentId);
  if (!belonging || !access.may(user, 'read', belonging)) throw fail('document.not_found');
  if (belonging.patientId !== patient_id) throw fail('event.patient_mismatch');
  vault.transaction(() => documents.episodes.join(documentId, id, relevance));
  notifyChanged(deps, id, patient_id, 'updated', [documentId]);
  return { ok: true };
}

function unlinkDocument(deps: Deps, id: number, documentId: number): { ok: true } {
  const { vault, documents } = deps;
  const { patient_id } = requireEvent(deps, id);
  vault.transaction(() => {
    if (!documents.episodes.leave(documentId, id)) throw fail('event.not_linked');
  });
  notifyChanged(deps, id, patient_id, 'updated', [documentId]);
  return { ok: true };
}

/** Announces an event that was restored from the trash; resolves when its documents are in its folder. */
function finishRestore(deps: Deps, id: number): Promise<void> {
  const row = deps.repository.get(id);
  if (row) notifyChanged(deps, id, row.patient_id, 'created');
  return deps.documents.episodes.waitForRefiling(id);
}
