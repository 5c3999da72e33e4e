import type { PatientRecord } from '../record/patient-record.ts';
import type { Question } from './question.ts';
import { vocabulary } from './vocabulary.ts';

/** The things of a record that a question names. */
export interface Subjects {
  /** Keys of laboratory tests. */
  tests: string[];
  /** Keys of medicines, also of those of a named group; empty if the record has none of the group. */
  medicines: string[];
  namesMedicine: boolean;
  /** Keys of diagnoses. */
  diagnoses: string[];
  /** Diseases of the vaccine vocabulary. */
  diseases: string[];
  /** Folded words of the names. */
  used: ReadonlySet<string>;
}

/** Finds what a question is about among the things of the record. */
export function findSubjects(record: PatientRecord, question: Question): Subjects {
  const words = question.words.map(({ folded }) => folded);
  const tests = record.tests().find(words);
  const named = tests.keys.length > 0 ? tests : testsOfGroup(record, question);
  const remedies = record.remedies().find(words);
  const ofClass = medicinesOfClass(record, question);
  const illnesses = record.illnesses().find(words);
  return {
    tests: named.keys,
    medicines: [...new Set([...remedies.keys, ...(ofClass?.keys ?? [])])],
    namesMedicine: remedies.keys.length > 0 || ofClass !== null,
    diagnoses: illnesses.keys,
    diseases: diseasesIn(question),
    used: new Set([...named.used, ...remedies.used, ...(ofClass?.used ?? []), ...illnesses.used]),
  };
}

/** "Kidney values": tests of a category, if the question is about values. */
function testsOfGroup(record: PatientRecord, question: Question): { keys: string[]; used: Set<string> } {
  const { words, has } = question;
  const keys = new Set(record.results().map(({ testKey }) => testKey));
  for (const { tests, category, words: names } of vocabulary().testGroups) {
    if (tests.length > 0) continue;
    const used = words
      .map(({ folded }) => folded)
      .filter((word) => names.some((name) => word === name || (isValuesOf(word, name) && !isOfAllTests(word))));
    const isAboutValues =
      has('value', ...VALUE_CUES) || used.some((word) => !names.includes(word)) || asksState(question, used);
    const ofCategory = [...keys].filter((key) => record.categoryOf(key) === category);
    if (used.length > 0 && isAboutValues && ofCategory.length > 0) return { keys: ofCategory, used: new Set(used) };
  }
  return { keys: [], used: new Set() };
}

const VALUE_CUES = ['outside', 'series', 'highest', 'lowest'] as const;

/** "Are the kidneys ok?", but not "Is the scan of the kidneys ok?", which asks for a paper. */
function asksState({ content, has }: Question, names: readonly string[]): boolean {
  const isUsual = (word: string): boolean =>
    (['state', 'normal', 'last', 'still'] as const).some((cue) => vocabulary().cues.get(cue)?.test(` ${word} `));
  const others = content.map(({ folded }) => folded).filter((word) => !names.includes(word) && !isUsual(word));
  return has('state', 'normal') && others.every((word) => IN_ORDER.has(word));
}

/** Parts of "in order" that are not small words. */
const IN_ORDER: ReadonlySet<string> = new Set(['order', 'ordnung', 'all', 'right']);

/** `blutwerte` are all results, not those of the blood count. */
const isOfAllTests = (word: string): boolean => vocabulary().cues.get('results')?.test(` ${word} `) ?? false;

/** `nierenwerte` of `nieren`. */
const isValuesOf = (word: string, name: string): boolean =>
  word.startsWith(name) && /^n?s?(?:werte?n?|funktion(?:en)?)$/u.test(word.slice(name.length));

/** Medicines of the groups that a question about medicines names; null without such a group. */
function medicinesOfClass(record: PatientRecord, { words, has }: Question): { keys: string[]; used: string[] } | null {
  if (!has('medicines')) return null;
  const padded = ` ${words.map(({ folded }) => folded).join(' ')} `;
  const classes = vocabulary().medicineClasses.filter(({ pattern }) => pattern.test(padded));
  const codes = classes.flatMap(({ atc }) => atc);
  if (codes.length === 0) return null;
  return {
    keys: record
      .medicines()
      .filter(({ atc }) => codes.some((code) => atc?.startsWith(code)))
      .map(({ entryKey }) => entryKey),
    used: classes.flatMap(({ pattern }) => pattern.exec(padded)?.[0].split(' ') ?? []),
  };
}

/** Diseases whose names, or whose vaccination (`Grippeimpfung`), the question names. */
function diseasesIn({ words }: Question): string[] {
  const folded = words.map((word) => word.folded.replace(/(?:schutz)?(?:auffrisch)?impf(?:ung|ungen|stoff)$/u, ''));
  const padded = ` ${folded.join(' ')} `;
  return vocabulary()
    .vaccines.filter((vaccine) => [...vaccine.words, ...vaccine.brands].some((name) => padded.includes(` ${name} `)))
    .map(({ disease }) => disease);
}
