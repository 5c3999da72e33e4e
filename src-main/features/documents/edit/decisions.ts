import type { AccessRules } from '../../../platform/access/access.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import type { NameResolver } from '../../names/service.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { ReviewReason } from '../../../reading/extraction/extraction.ts';
import { isDoubtful } from '../../../reading/extraction/review.ts';
import { isAboutPatient } from '../../../reading/extraction/patient-decision.ts';
import { reindexDocument } from '../list/text-index-repository.ts';
import { notifyChanged, requireDocument, type NotifyDeps } from '../notify.ts';
import type { ReadingQueue } from '../ports.ts';
import { compareWithHistory } from '../reading/history-doubts.ts';
import { ownerOf, type Owner, type OwnerDeps } from '../reading/owner.ts';
import { isSettled, type DocumentFields, type DocumentRecord } from '../write-repository.ts';
import type { DocumentEdits } from './edit.ts';
import type { Placement } from './placement.ts';
import { isAboutRows, remainingReasons, withMoreDoubtfulRows } from './review-reasons.ts';
import { isCounted } from './row-edits.ts';
import { correctSummary } from './summary.ts';
import type { Database } from '../../../platform/database/connection.ts';

export interface DecisionDeps extends NotifyDeps, OwnerDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  names: NameResolver;
  queue: ReadingQueue;
  placement: Placement;
  edits: Pick<DocumentEdits, 'move'>;
}

export type Decisions = ReturnType<typeof createDecisions>;

/** Decisions whose document it is. */
export function createDecisions(deps: DecisionDeps) {
  return bindFirst(deps, {
    undecided: listUndecided,
    assign: assignDocuments,
    reopen: reopenDocuments,
    reopenReview,
    rematch,
  });
}

type Belongs = { id: number; patientId: number | null; uploaderId: number | null };
const belongingOf = (row: DocumentRecord): Belongs => ({
  id: row.id,
  patientId: row.patient_id,
  uploaderId: row.uploaded_by_user_id,
});

/** Undecided documents that the user may see, oldest first. */
function listUndecided({ repository, access }: DecisionDeps, user: UserCaller): DocumentRecord[] {
  return repository.undecided().filter((row) => access.may(user, 'read', belongingOf(row)));
}

/** The documents of a decision. @throws `document.not_found`, `auth.forbidden`, `document.busy` */
function requireDocuments({ repository, access, queue }: DecisionDeps, ids: readonly number[], user: UserCaller) {
  return [...new Set(ids)].map((id) => {
    access.require({ document: 'write' }, user, id);
    if (queue.isReading(id)) throw fail('document.busy');
    return requireDocument(repository, id);
  });
}

/** Files documents under a patient, all or none. */
function assignDocuments(deps: DecisionDeps, ids: readonly number[], patientId: number, user: UserCaller): void {
  deps.vault.transaction(() => {
    for (const row of requireDocuments(deps, ids, user)) deps.edits.move(row.id, patientId, user);
  });
}

/**
 * Undoes a decision: the documents get back the patient who was chosen for them, and ask again. Other answers that a
 * user gave stay. `exceptId` is a person who will be removed and therefore matches no document.
 */
function reopenDocuments(
  deps: DecisionDeps,
  ids: readonly number[],
  patientId: number | null,
  user: UserCaller,
  exceptId: number | null = null,
): void {
  const { vault, access } = deps;
  const writablePatients = (id: number | null) => deps.writablePatients(id).filter((one) => one !== exceptId);
  if (patientId !== null) access.requirePatient(user, patientId, 'write');
  vault.transaction(() => {
    for (const row of requireDocuments(deps, ids, user)) {
      const edited = (row.edited_fields ?? []).filter((field) => field !== 'patient_id');
      const chosen = { ...row, patient_id: patientId, edited_fields: edited };
      applyOwner(deps, chosen, readOwner({ ...deps, writablePatients }, chosen), { edited_fields: edited });
    }
  });
}

/**
 * Undoes that documents were marked as reviewed: they get back the reasons of their last reading that no user has
 * settled by editing a field.
 */
function reopenReview(deps: DecisionDeps, ids: readonly number[], user: UserCaller): void {
  const { vault, repository, clock } = deps;
  vault.transaction(() => {
    for (const row of requireDocuments(deps, ids, user)) {
      const edited = row.edited_fields ?? [];
      const read = reasonsOfReading(deps, row.id);
      const owner = edited.includes('patient_id') ? null : readOwner(deps, row);
      const ofOwner = owner?.patientId === row.patient_id ? owner.reasons : [];
      const reasons = remainingReasons([...read, ...ofOwner], edited);
      if (reasons.length === 0) continue;
      repository.update(row.id, {
        review_reasons: reasons,
        status: 'needs_review',
        updated_at: toTimestamp(clock.now()),
      });
    }
  });
  notifyChanged(deps, ids);
}

/**
 * Compares documents with the patients once more, after one was added or corrected. An undecided one that now certainly
 * names somebody is filed, and one that nobody decided waits if it now names somebody else or has another birth date.
 * Returns the ids of these.
 */
function rematch(deps: DecisionDeps): number[] {
  const { vault, repository } = deps;
  return vault.transaction(() =>
    [...repository.undecided(), ...repository.differing()].flatMap((row) => {
      if (!isSettled(row.status)) return [];
      const owner = readOwner(deps, row);
      if (owner.isUndecided === row.patient_undecided) return [];
      applyOwner(deps, row, owner);
      return [row.id];
    }),
  );
}

/** Whose document it is by what the reader found on its pages. */
function readOwner(deps: DecisionDeps, row: DocumentRecord): Owner {
  const found = deps.repository.readPatient(row.id);
  const hasText = found !== null && (row.review_reasons ?? []).every(({ code }) => code !== 'no_text');
  return ownerOf(deps, row, found ?? NOBODY_FOUND, hasText);
}

/** The reasons of the last reading that are not about the patient, with the rows that are still doubtful. */
function reasonsOfReading({ repository }: DecisionDeps, id: number): ReviewReason[] {
  const extraction = repository.readExtraction(id);
  const { review_reasons = [], medications = [], vaccinations = [], diagnoses = [] } = extraction ?? {};
  const others = review_reasons.filter((one) => !isAboutPatient(one) && !isAboutRows(one));
  const doubtful =
    [...medications, ...vaccinations, ...diagnoses].filter(isDoubtful).length +
    repository.doubts(id, 'all').filter(isCounted).length;
  return withMoreDoubtfulRows(others, doubtful);
}

const NOBODY_FOUND = { name: null, date_of_birth: null, sex: null, match: null };

/** Writes patient and reasons of a document, and all that depends on them. */
function applyOwner(deps: DecisionDeps, row: DocumentRecord, owner: Owner, fields: DocumentFields = {}): void {
  const { db, repository, names, clock, placement } = deps;
  const reasons = [...(row.review_reasons ?? []).filter((reason) => !isAboutPatient(reason)), ...owner.reasons];
  const isOpen = reasons.length > 0 || owner.isUndecided || owner.patientId === null;
  const before = repository.get(row.id)?.patient_id ?? null;
  if (before !== owner.patientId)
    names.adopt(
      { table: 'documents', id: row.id },
      { patientId: owner.patientId, uploaderId: row.uploaded_by_user_id },
    );
  repository.update(row.id, {
    ...fields,
    patient_id: owner.patientId,
    patient_undecided: owner.isUndecided,
    review_reasons: reasons,
    status: isOpen ? 'needs_review' : 'done',
    updated_at: toTimestamp(clock.now()),
  });
  if (before !== owner.patientId) {
    // An event belongs to one patient, so it does not follow the document to another.
    repository.update(row.id, { event_id: null });
    repository.unlinkFromEvents(row.id);
  }
  repository.assignResults(row.id);
  compareWithHistory(db, row.id);
  correctSummary(repository, row.id);
  reindexDocument(db, row.id);
  placement.planMove(row.id);
  notifyChanged(deps, [row.id]);
}
