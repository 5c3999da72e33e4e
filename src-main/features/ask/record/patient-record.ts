import type { CoreLanguage } from '../../../../src-shared/contract/core-languages.ts';
import type { KnowledgeEntry, Knowledge, KnowledgeKind } from '../../../reading/knowledge/service.ts';
import type { MeantPassage } from '../meaning/repository.ts';
import { createNameIndex, type NameIndex } from '../question/name-index.ts';
import { vocabulary } from '../question/vocabulary.ts';
import type { Place, VaccinationFact } from './facts.ts';
import { quoteAt } from './quotes.ts';
import type { PagesRepository } from './pages-repository.ts';
import type { RecordRepository } from './record-repository.ts';

export interface RecordDeps {
  repository: RecordRepository;
  pages: PagesRepository;
  knowledge: Pick<Knowledge, 'byCanonicalCode' | 'byCode' | 'candidates'>;
}

/** The record of one patient, for one question: each part is read when it is needed, and only once. */
export type PatientRecord = ReturnType<typeof openRecord>;

/** `meant` are passages that are near to the question in their meaning. */
export function openRecord(
  { repository, pages, knowledge }: RecordDeps,
  patientId: number,
  today: string,
  meant: readonly MeantPassage[] = [],
) {
  const results = once(() => repository.results(patientId));
  const medicines = once(() => repository.medicines(patientId));
  const diagnoses = once(() => repository.diagnoses(patientId));
  const ownNames = once(() => repository.ownNames(patientId));
  const pagesOf = remember((documentId: number) => pages.pages(patientId, documentId));
  const quote = (place: Place): string | null => quoteAt(pagesOf(place.documentId), place);
  const entryOf = (kind: KnowledgeKind, key: string): KnowledgeEntry | null => knowledge.byCanonicalCode(kind, key);
  const indexOf = (kind: 'lab_tests' | 'medications' | 'diagnoses', facts: () => { key: string; names: string[] }[]) =>
    once(() => buildIndex(kind, facts(), entryOf, ownNames()));
  return {
    patientId,
    today,
    meant,
    results,
    medicines,
    diagnoses,
    stays: once(() => repository.stays(patientId)),
    episodes: once(() => repository.episodes(patientId)),
    documents: once(() => repository.documents(patientId)),
    appointments: once(() => repository.appointments(patientId)),
    costs: once(() => repository.costs(patientId)),
    vaccinations: once((): VaccinationFact[] =>
      repository.vaccinations(patientId).map((fact) => ({ ...fact, line: (fact.place && quote(fact.place)) ?? '' })),
    ),
    pagesOf,
    quote,
    /** Documents that match a full-text expression. */
    hits: (match: string, limit: number): number[] => pages.hits(patientId, match, limit),
    tests: indexOf('lab_tests', () => results().map((fact) => ({ key: fact.testKey, names: [fact.printedName] }))),
    remedies: indexOf('medications', () =>
      medicines().map((fact) => ({ key: fact.entryKey, names: [fact.name, fact.substance ?? ''] })),
    ),
    illnesses: indexOf('diagnoses', () =>
      diagnoses().map((fact) => ({ key: fact.entryKey, names: [fact.name, fact.canonical ?? '', fact.code ?? ''] })),
    ),
    /** The name of a thing in a language, if the knowledge base has it. */
    nameIn: (kind: KnowledgeKind, key: string, language: CoreLanguage): string | null =>
      entryOf(kind, key)?.names[language] ?? null,
    categoryOf(key: string): string | null {
      const entry = entryOf('lab_tests', key);
      return entry?.kind === 'lab_tests' ? entry.category : null;
    },
    /** Whether words are the name of a thing of this kind, in whosever record. */
    isKnown: (kind: KnowledgeKind, words: string): boolean => knowledge.candidates(kind, words).length > 0,
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

/** The names under which a person may ask for the things of a record: as printed, and in four languages. */
function buildIndex(
  kind: 'lab_tests' | 'medications' | 'diagnoses',
  facts: readonly { key: string; names: string[] }[],
  entryOf: (kind: KnowledgeKind, key: string) => KnowledgeEntry | null,
  ownNames: readonly { code: string; name: string }[],
): NameIndex<string> {
  const index = createNameIndex<string>();
  for (const [key, group] of Map.groupBy(facts, (fact) => fact.key)) {
    const entry = entryOf(kind, key);
    const own = ownNames.filter(({ code }) => code === key).map(({ name }) => name);
    const known = entry ? [...Object.values(entry.names), ...entry.aliases.map(({ alias }) => alias)] : [];
    const groups = kind === 'lab_tests' ? vocabulary().testGroups.filter(({ tests }) => tests.includes(key)) : [];
    index.add(key, [...group.flatMap(({ names }) => names), ...known, ...own, ...groups.flatMap(({ words }) => words)]);
  }
  return index;
}
