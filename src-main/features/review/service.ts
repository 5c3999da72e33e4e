import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { review as contract, ReviewAnswer } from '../../../src-shared/contract/review.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Audit } from '../../platform/audit/audit.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { KnownPatient } from '../../reading/extraction/extraction.ts';
import { possiblePatients } from '../../reading/extraction/patient-decision.ts';
import type { Documents } from '../documents/service.ts';
import type { PatientService } from '../patients/service.ts';
import { groupUndecided, type Group } from './groups.ts';

type Reply = ReplyInput<typeof contract.list>;
type Question = Reply['questions'][number];
type DocumentListItem = Reply['documents'][number];
type AnswerReply = ReplyInput<typeof contract.answer>;

/** Documents with other questions that one reply lists. */
const MAX_DOCUMENTS = 200;
const MAX_RESULTS = 200;

interface ReviewDeps {
  vault: Vault;
  access: AccessRules;
  audit: Audit;
  documents: Pick<Documents, 'queries' | 'decisions'>;
  patients: PatientService;
}

export type ReviewService = ReturnType<typeof createReview>;

/** What a user has to decide about documents, grouped by question. */
export function createReview(deps: ReviewDeps) {
  return bindFirst(deps, { list: listQuestions, answer: applyAnswer, chosenForOthers: listChosenForOthers });
}

function listQuestions(deps: ReviewDeps, query: Input<typeof contract.list>['query'], user: UserCaller): Reply {
  const { documents } = deps;
  const others = documents.queries.list(
    {
      ...query,
      status: ['needs_review', 'failed'],
      decidedOnly: true,
      sort: 'created_at',
      order: 'desc',
      limit: MAX_DOCUMENTS,
      offset: 0,
    },
    user,
  );
  const writable = writablePatients(deps, user);
  return {
    questions: groupUndecided(documents.decisions.undecided(user))
      .filter((group) => query.patient_id === undefined || concerns(group, query.patient_id, writable))
      .map((group) => questionOf(deps, group, writable, user)),
    documents: others.items,
    documents_total: others.total,
    ...doubtfulResults(deps, query.patient_id, user),
  };
}

/** Whether documents were added for this person, or their pages may name them. */
const concerns = (group: Group, patientId: number, writable: readonly KnownPatient[]): boolean =>
  group.chosenId === patientId || candidatesOf(group, writable).some(({ id }) => id === patientId);

/** Undecided documents that were not added for this person, but may be theirs by the name on the page. */
function listChosenForOthers(deps: ReviewDeps, patientId: number, user: UserCaller): DocumentListItem[] {
  const { documents } = deps;
  const others = documents.decisions.undecided(user).filter((row) => row.patient_id !== patientId);
  if (others.length === 0) return [];
  const writable = writablePatients(deps, user);
  const groups = groupUndecided(others).filter((group) => concerns(group, patientId, writable));
  return documents.queries.byIds(groups.flatMap(({ documentIds }) => documentIds));
}

/** Doubtful results that the user may correct, with their documents. */
function doubtfulResults(
  { access, documents }: ReviewDeps,
  patientId: number | undefined,
  user: UserCaller,
): Pick<Reply, 'results' | 'results_total' | 'result_documents'> {
  const writable = user.role === 'viewer' ? [] : access.ownedPatients(user.userId);
  const patients = writable.filter((id) => patientId === undefined || id === patientId);
  const { results, total } = documents.queries.doubtfulResults(patients, MAX_RESULTS);
  const documentIds = [...new Set(results.flatMap(({ document_id }) => document_id ?? []))];
  return { results, results_total: total, result_documents: documents.queries.byIds(documentIds) };
}

function questionOf(deps: ReviewDeps, group: Group, writable: readonly KnownPatient[], user: UserCaller): Question {
  const { access, documents, patients } = deps;
  const { chosenId, name, birth, otherNames, uploaderId, documentIds } = group;
  const chosen = chosenId === null ? null : patients.get(chosenId, user);
  return {
    key: `patient-${documentIds[0]}`,
    name,
    date_of_birth: birth,
    other_names: [...otherNames],
    chosen: chosen && personOf(chosen),
    candidates: candidatesOf(group, writable).map(personOf),
    may_answer: access.may(user, 'write', { patientId: chosenId, uploaderId }),
    documents: documents.queries.byIds([...documentIds]),
  };
}

/** Persons whom the pages may name except the chosen one, the most likely first. */
function candidatesOf({ chosenId, name, birth, otherNames }: Group, writable: readonly KnownPatient[]): KnownPatient[] {
  const named = [
    ...possiblePatients({ name, birth }, writable),
    ...otherNames.flatMap((other) => possiblePatients({ name: other, birth: null }, writable)),
  ];
  return [...new Set(named)].filter(({ id }) => id !== chosenId);
}

const personOf = ({
  id,
  display_name,
  date_of_birth,
}: Pick<KnownPatient, 'id' | 'display_name' | 'date_of_birth'>) => ({
  id,
  display_name,
  date_of_birth,
});

/** Persons to whom the user may write; nobody else is ever named to them. */
const writablePatients = ({ access, patients }: ReviewDeps, user: UserCaller): KnownPatient[] =>
  patients
    .list(user)
    .filter(({ id }) => access.may(user, 'write', { patientId: id, uploaderId: null }))
    .map(({ id, display_name, date_of_birth, sex }) => ({ id, display_name, date_of_birth, sex }));

function applyAnswer(deps: ReviewDeps, answer: ReviewAnswer, user: UserCaller): AnswerReply {
  return deps.vault.transaction(() => {
    switch (answer.answer) {
      case 'add_person':
        return addPerson(deps, answer, user);
      case 'assign':
        deps.documents.decisions.assign(answer.document_ids, answer.patient_id, user);
        return { document_ids: answer.document_ids, patient_id: answer.patient_id, added_patient_id: null };
      case 'reopen':
        return reopen(deps, answer, user);
      case 'reopen_review':
        deps.documents.decisions.reopenReview(answer.document_ids, user);
        return { document_ids: answer.document_ids, patient_id: null, added_patient_id: null };
    }
  });
}

/** Adds a person, to whom also other waiting documents may go that certainly name them. */
function addPerson(
  { audit, documents, patients }: ReviewDeps,
  { document_ids, display_name, date_of_birth, sex }: ReviewAnswer & { answer: 'add_person' },
  user: UserCaller,
): AnswerReply {
  const before = documents.decisions.undecided(user).map(({ id }) => id);
  const { id } = patients.create({ display_name, date_of_birth: date_of_birth ?? null, sex: sex ?? null }, user);
  audit.record({ action: 'patient.create', resourceType: 'patient', resourceId: id }, user);
  documents.decisions.assign(document_ids, id, user);
  const still = new Set(documents.decisions.undecided(user).map((row) => row.id));
  const filed = before.filter((documentId) => !still.has(documentId));
  return { document_ids: [...new Set([...document_ids, ...filed])], patient_id: id, added_patient_id: id };
}

/** Undoes an answer. A person whom it added goes to the trash, unless they have got other documents. */
function reopen(
  { access, audit, documents, patients }: ReviewDeps,
  { document_ids, patient_id, remove_patient_id }: ReviewAnswer & { answer: 'reopen' },
  user: UserCaller,
): AnswerReply {
  if (typeof remove_patient_id === 'number') access.requirePatient(user, remove_patient_id, 'write');
  documents.decisions.reopen(document_ids, patient_id, user, remove_patient_id ?? null);
  if (typeof remove_patient_id === 'number') {
    if (patients.get(remove_patient_id, user).document_count > 0) throw fail('patient.has_documents');
    patients.remove(remove_patient_id, user);
    audit.record({ action: 'patient.delete', resourceType: 'patient', resourceId: remove_patient_id }, user);
  }
  return { document_ids, patient_id, added_patient_id: null };
}
