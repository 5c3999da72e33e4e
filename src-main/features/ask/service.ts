import type { chat as contract, ChatMessage, ChatSource } from '../../../src-shared/contract/chat.ts';
import type { PromptKey } from '../../../src-shared/contract/prompts.ts';
import type { DocumentNaming } from '../../../src-shared/contract/document-naming.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import { foldName } from '../../../src-shared/medical/name-fold.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toCivilDate, toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { addUsage } from '../../reading/providers/usage.ts';
import type { GeneralModel } from '../../reading/providers/models/general.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import type { Synonyms } from '../../reading/knowledge/synonyms.ts';
import { createHistoryRepository, type HistoryRepository, type StoredSource } from './history-repository.ts';
import type { Meaning } from './meaning/meaning.ts';
import type { MeantPassage } from './meaning/repository.ts';
import { answerByModel, type Progress } from './model/answer-by-model.ts';
import { kinWordsFor } from './question/kin.ts';
import { readQuestion, type Question } from './question/question.ts';
import { answerByRules } from './question/route.ts';
import { createPagesRepository } from './record/pages-repository.ts';
import { openRecord, type PatientRecord } from './record/patient-record.ts';
import { createRecordRepository, type RecordRepository } from './record/record-repository.ts';
import type { Finding } from './tools/findings.ts';
import { suggestQuestions } from './wording/suggestions.ts';
import { wordFinding } from './wording/word-finding.ts';
import type { Answer } from './wording/writer.ts';

export { createMeaning, type Meaning } from './meaning/meaning.ts';
export { callTool } from './model/tool-calls.ts';
export { rowsOf } from './tools/rows.ts';

const DAY_MS = 86_400_000;

export interface AskDeps {
  db: Database;
  clock: Clock;
  access: Pick<AccessRules, 'visiblePatients' | 'may' | 'requirePatient'>;
  knowledge: Knowledge;
  synonyms: Synonyms;
  namings: (ids: readonly number[]) => ReadonlyMap<number, DocumentNaming>;
  /** The language model, if one is set up. */
  model: GeneralModel;
  prompt: (key: PromptKey) => string;
  /** Finds passages by their meaning. */
  meaning: Pick<Meaning, 'near'>;
}
interface Deps extends AskDeps {
  repository: RecordRepository;
  history: HistoryRepository;
  open: (patientId: number, meant?: readonly MeantPassage[]) => PatientRecord;
}

export type Ask = ReturnType<typeof createAsk>;

/** Opens the record of a patient for the tools; the caller checks access. */
export function createRecords({ db, clock, knowledge }: Pick<AskDeps, 'db' | 'clock' | 'knowledge'>) {
  const repository = createRecordRepository(db);
  const pages = createPagesRepository(db);
  return (patientId: number, meant?: readonly MeantPassage[]): PatientRecord =>
    openRecord({ repository, pages, knowledge }, patientId, toCivilDate(clock.now()), meant);
}

/** Answers questions from the record of one patient. */
export function createAsk(dependencies: AskDeps) {
  const { db } = dependencies;
  const deps: Deps = {
    ...dependencies,
    repository: createRecordRepository(db),
    history: createHistoryRepository(db),
    open: createRecords(dependencies),
  };
  return {
    ...bindFirst(deps, {
      ask,
      list: listHistory,
      clear: clearHistory,
      restore: restoreHistory,
      suggest: suggestFor,
      purgeCleared,
    }),
    /** The record of a patient for the tools; the caller checks access. */
    open: deps.open,
  };
}

type Asked = Input<typeof contract.ask>['body'];

/** The caller may read the record of the patient. Question and answer are stored together. */
async function ask(deps: Deps, { patient_id, message, language = 'en' }: Asked, user: UserCaller, progress: Progress) {
  const { db, history, clock } = deps;
  const withoutMeaning = deps.open(patient_id);
  const [own] = deps.repository.namesOf([patient_id]);
  const names = own ? [own.name, ...kinWordsFor(own, withoutMeaning.today)] : [];
  const question = readQuestion(message, names, withoutMeaning.today, language);
  const refused = otherPersonIn(deps, question, patient_id, user);
  const byWords = refused ?? answerByRules(withoutMeaning, question, deps.synonyms.of);
  // Values and lists need no passages.
  const meant = byWords.kind === 'passages' ? await deps.meaning.near(patient_id, message, progress.signal) : [];
  const record = meant.length > 0 ? deps.open(patient_id, meant) : withoutMeaning;
  const finding = meant.length > 0 ? answerByRules(record, question, deps.synonyms.of) : byWords;
  const synonymsOf = deps.synonyms.of;
  let usage: StageUsage | null = null;
  const onUsage = (more: StageUsage): void => void (usage = addUsage(usage, more));
  const worded = refused
    ? null
    : await answerByModel({ ...deps, synonymsOf }, record, question, finding, {
        ...whileReadable(deps, patient_id, user, progress),
        onUsage,
      });
  // Whoever stopped waiting gets no answer, and neither is kept.
  if (progress.signal.aborted) throw fail('chat.stopped');
  deps.access.requirePatient(user, patient_id, 'read');
  const answer = worded ?? wordFinding(record, finding, question.language);
  const sources = storedSources(answer);
  const created_at = toTimestamp(clock.now());
  const id = db.transaction(() => {
    const common = { userId: user.userId, patient_id, created_at };
    history.add({ ...common, role: 'user', content: message, sources: [], usage: null });
    return history.add({ ...common, role: 'assistant', content: answer.text, sources, usage });
  });
  const by_model = worded !== null;
  return { id, response: answer.text, sources: named(deps, sources), created_at, by_model, usage };
}

/** A model may write for minutes: no sentence goes to a user who lost the record meanwhile. */
function whileReadable({ access }: Deps, patientId: number, user: UserCaller, progress: Progress): Progress {
  const { onText } = progress;
  if (!onText) return progress;
  const mayRead = (): boolean => access.may(user, 'read', { patientId, uploaderId: null });
  return { ...progress, onText: (text) => (mayRead() ? onText(text) : undefined) };
}

const storedSources = ({ cited }: Answer): StoredSource[] =>
  cited.map(({ number, place, quote }) => ({
    number,
    id: place.documentId,
    page: place.page,
    quote,
    bbox: place.bbox,
    value: place.value,
  }));

/** Sources with the present names of their documents. */
function named({ namings }: Deps, sources: readonly StoredSource[]): ChatSource[] {
  const byId = namings([...new Set(sources.map(({ id }) => id))]);
  return sources.flatMap((source) => {
    const naming = byId.get(source.id);
    if (!naming) return [];
    const { original_filename: filename, ...rest } = naming;
    return [{ ...rest, ...source, filename, bbox: source.bbox && [...source.bbox] } as ChatSource];
  });
}

/**
 * Another person whose record the user may see and whom the question names, but not this patient: an answer about this
 * patient would be taken for one about them.
 */
function otherPersonIn(deps: Deps, { words }: Question, patientId: number, user: UserCaller): Finding | null {
  const people = deps.repository.namesOf(deps.access.visiblePatients(user.userId));
  const partsOf = (name: string): string[] => foldName(name).split(' ');
  const own = new Set(people.filter(({ id }) => id === patientId).flatMap(({ name }) => partsOf(name)));
  const isNamed = (part: string): boolean => words.some(({ folded }) => folded === part || folded === `${part}s`);
  if ([...own].some(isNamed)) return null;
  const other = people.find(
    ({ id, name }) => id !== patientId && partsOf(name).some((part) => !own.has(part) && isNamed(part)),
  );
  return other ? { kind: 'other_person', name: other.name } : null;
}

type HistoryQuery = Input<typeof contract.history>['query'];
const conversationOf = ({ access }: Deps, { patient_id }: HistoryQuery, { userId }: UserCaller) => ({
  userId,
  patientIds: patient_id === undefined ? access.visiblePatients(userId) : [patient_id],
});

/** An answer of which a document has left the record is not shown: its words may be of another person. */
function listHistory(deps: Deps, query: HistoryQuery, user: UserCaller): ReplyInput<typeof contract.history> {
  const conversation = conversationOf(deps, query, user);
  const stored = deps.history.list(conversation);
  const ids = [...new Set(stored.flatMap(({ sources }) => sources.map(({ id }) => id)))];
  const present = deps.history.documentsOf(conversation.patientIds, ids);
  return {
    messages: stored.map(({ sources, ...message }): ChatMessage => {
      const is_withdrawn = !sources.every(({ id }) => present.has(`${message.patient_id} ${id}`));
      if (is_withdrawn) return { ...message, content: '', sources: [], is_withdrawn };
      return { ...message, sources: named(deps, sources), is_withdrawn };
    }),
  };
}

const clearHistory = (deps: Deps, query: HistoryQuery, user: UserCaller) => ({
  cleared: deps.history.clear(conversationOf(deps, query, user), toTimestamp(deps.clock.now())),
});

const restoreHistory = (deps: Deps, query: HistoryQuery, user: UserCaller) => ({
  restored: deps.history.restore(conversationOf(deps, query, user)),
});

function suggestFor(deps: Deps, { patient_id, language }: Input<typeof contract.suggestions>['query']) {
  const record = deps.open(patient_id);
  return {
    questions: suggestQuestions(record, language),
    has_model: deps.model.isAvailable(),
    has_papers: record.documents().length > 0,
  };
}

/** Deletes what was cleared more than a day ago. */
const purgeCleared = ({ history, clock }: Deps): void => history.purge(toTimestamp(clock.now() - DAY_MS));
