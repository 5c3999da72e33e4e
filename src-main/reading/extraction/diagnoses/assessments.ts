import { foldWords } from '../fold.ts';
import { knownDiagnosisAt } from './known-diagnoses.ts';

/** A longer statement says something about a disease. */
const MAX_WORDS = 9;
/** Signs between the statements of an assessment. */
const BETWEEN = /[.;]\s*(?=\p{Lu}|$)|,\s+|\s+(?:und|sowie|and|et|e)\s+/u;
/** At most this many words, such as "moderate persistent", are before the name of the disease. */
const MAX_ADJECTIVES = 2;

/** Whether a known disease begins a text, behind a few adjectives at most. */
export function beginsWithDiagnosis(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return Array.from({ length: MAX_ADJECTIVES + 1 }, (_, at) => at).some((at) => knownDiagnosisAt(words, at) > 0);
}

/** Ends of words that name diseases in the four languages: "hernia", "Stenose", "maladie", "polyarthrite". */
const DISEASE = new RegExp(
  [
    String.raw`(?:itis|(?<!^(?:vis|su|lim|dro|pet|condu))ite|osis|(?<!^(?:d|diagn|progn))os[ie]|oma|`,
    String.raw`pathy|pathie|patia|aemia|emia|amie|emie|algia?|algie|penia|penie|`,
    String.raw`syndrome?|sindrome|disease|disorder|krankheit|maladie|malattia|trouble|disturbo|storung|insuffizienz|`,
    String.raw`failure|deficiency|insuffisance|insufficienza|carence|carenza|mangel|hernia|hernie|ernia|fracture|`,
    String.raw`fraktur|frattura|infection|infektion|infezione|infekt|ulcer|ulkus|ulcera|ulcere|neoplasm|tumou?r|`,
    String.raw`karzinom|carcinoma|cancer|prolapse?|fibrillation|fibrillazione|flimmern|flutter|stenosi|iasis|iase|cataracta?|katarakt|`,
    String.raw`cataratta|asthma?e?|asma|diabetes?|diabete|hypertension|hypertonie|ipertensione|migr[ae]ne|emicrania|`,
    String.raw`retrecissement|regurgitation|depression|depressione|psoriasi)$`,
  ].join(''),
  'u',
);
const WORDS_OF_NAME = 5;

/** Whether an item names a disease, be it known or only called like one; doses and plans are none. */
export const isLikeDiagnosis = (text: string): boolean =>
  beginsWithDiagnosis(text) ||
  (!/\d\s?(?:mg|mcg|µg|ml|g)\b/u.test(text) &&
    foldWords(text)
      .slice(0, WORDS_OF_NAME)
      .some((word) => DISEASE.test(word)));

/** The diseases that an assessment states, one after the other: "Katarakt beidseits, Gicht. Kontrolle im Mai." */
export const diagnosesStated = (text: string): string[] =>
  text
    .split(BETWEEN)
    .map((statement) => statement.trim())
    .filter((statement) => statement.split(/\s+/).length <= MAX_WORDS && beginsWithDiagnosis(statement));
