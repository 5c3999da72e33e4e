import { foldTerm } from '../../../../src-shared/medical/name-fold.ts';
import { readResource } from '../../../reading/knowledge/load.ts';
import { listed, readTable } from '../../../reading/knowledge/table.ts';

/** Words that tell what a question wants; each is a row of `resources/knowledge/question-words.tsv`. */
export type Cue =
  | 'why'
  | 'last'
  | 'first'
  | 'series'
  | 'highest'
  | 'lowest'
  | 'outside'
  | 'count'
  | 'results'
  | 'value'
  | 'state'
  | 'normal'
  | 'medicines'
  | 'taking'
  | 'diagnoses'
  | 'allergy'
  | 'vaccinations'
  | 'stay'
  | 'surgery'
  | 'appointment'
  | 'again'
  | 'cost'
  | 'changes'
  | 'change'
  | 'doctor'
  | 'documents'
  | 'episodes'
  | 'when'
  | 'duration'
  | 'stopped'
  | 'still'
  | 'ill'
  | 'past'
  | 'listing'
  | `type:${string}`
  | `means:${string}`;

export interface Vaccine {
  disease: string;
  /** Folded. */
  brands: string[];
  /** Folded words for the disease in four languages. */
  words: string[];
}
export interface MedicineClass {
  atc: string[];
  /** Beginnings of the ICD-10 codes of what its medicines are for. */
  treats: string[];
  pattern: RegExp;
}
export interface TestGroup {
  /** Canonical codes; empty for a whole category. */
  tests: string[];
  category: string;
  /** Folded. */
  words: string[];
}

/** Words for a relative: of which sex, and from which age. */
interface Kin {
  sex: string;
  from: number;
  until: number;
  words: string[];
}

export interface Vocabulary {
  cues: ReadonlyMap<Cue, RegExp>;
  /** What words of questions mean: "how heavy" is about the weight. */
  meanings: readonly { meaning: string; pattern: RegExp }[];
  /** Folded words that say nothing about the subject. */
  small: { en: ReadonlySet<string>; de: ReadonlySet<string> };
  vaccines: readonly Vaccine[];
  medicineClasses: readonly MedicineClass[];
  testGroups: readonly TestGroup[];
  kin: readonly Kin[];
}

/** A pattern that finds any of the words in folded text between spaces; `*` continues a word. */
function patternOf(words: readonly string[]): RegExp {
  const parts = words.map((word) => {
    const folded = foldTerm(word.replaceAll('*', ''));
    return `${word.startsWith('*') ? '[^ ]*' : ''}${folded}${word.endsWith('*') ? '[^ ]*' : ''}`;
  });
  return new RegExp(`(?<= )(?:${parts.join('|')})(?= )`, 'u');
}

const MEANS = 'means:';

let loaded: Vocabulary | undefined;

/** The vocabulary of questions, read once. */
export function vocabulary(): Vocabulary {
  return (loaded ??= readVocabulary());
}

function readVocabulary(): Vocabulary {
  const rows = readTable(readResource('question-words.tsv'), ['cue', 'en', 'de']);
  const small = rows.find(({ cue }) => cue === 'small');
  const folded = (field: string | undefined): Set<string> => new Set(listed(field ?? '').map(foldTerm));
  const cues = rows
    .filter(({ cue }) => cue !== 'small')
    .map(({ cue, en, de }): [Cue, RegExp] => [cue as Cue, patternOf([...listed(en), ...listed(de)])]);
  return {
    cues: new Map(cues),
    meanings: cues
      .filter(([cue]) => cue.startsWith(MEANS))
      .map(([cue, pattern]) => ({ meaning: cue.slice(MEANS.length), pattern })),
    small: { en: folded(small?.en), de: folded(small?.de) },
    vaccines: readTable(readResource('vaccines.tsv'), ['disease', 'brands', 'en', 'de', 'fr', 'it']).map((row) => ({
      disease: row.disease,
      brands: listed(row.brands).map(foldTerm),
      words: [row.en, row.de, row.fr, row.it].flatMap(listed).map(foldTerm),
    })),
    medicineClasses: readTable(readResource('medicine-classes.tsv'), ['atc', 'en', 'de', 'treats']).map((row) => ({
      atc: listed(row.atc),
      treats: listed(row.treats),
      pattern: patternOf([...listed(row.en), ...listed(row.de)]),
    })),
    testGroups: readTable(readResource('test-groups.tsv'), ['tests', 'category', 'en', 'de']).map((row) => ({
      tests: listed(row.tests),
      category: row.category,
      words: [row.en, row.de].flatMap(listed).map(foldTerm),
    })),
    kin: readTable(readResource('kin-words.tsv'), ['sex', 'from', 'until', 'en', 'de']).map(
      ({ sex, from, until, en, de }) => ({
        ...{ sex, from: Number(from), until: Number(until) },
        words: [en, de].flatMap(listed).map(foldTerm),
      }),
    ),
  };
}
