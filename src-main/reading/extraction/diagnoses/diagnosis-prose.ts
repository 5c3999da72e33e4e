import type { FoundDiagnosis } from '../extraction.ts';
import { foldWords } from '../fold.ts';
import { mentions } from '../languages/assertion.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { LayoutPage } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import { knownDiagnosisAt } from './known-diagnoses.ts';

/** A line of at least this many words in one segment is running text. */
const MIN_SENTENCE_WORDS = 8;
const CERTAINTY = 0.65;
/** Words that say that somebody has a disease, at most this far before its name. */
const NEAR_WORDS = 5;
const HAS = new Set(
  [
    'has have known established confirmed suffers diagnosed hat haben bekannte bekannter bekannten bekanntem bekanntes',
    'leidet gesicherte gesicherter',
    'souffre presente connu connue suivi suivie atteint atteinte porteur porteuse affetto affetta soffre',
    'presenta noto nota tiene padece',
  ].flatMap((words) => words.split(' ')),
);
/** What is said of a disease that is treated, directly behind its name: "hypothyroïdie substituée", "in terapia". */
const TREATED = new Set(
  [
    'treated behandelt behandelte substituiert therapiert eingestellt traitee traite substituee substitue equilibree',
    'stabilisee terapia trattamento trattata trattato',
  ].flatMap((words) => words.split(' ')),
);
const WORDS_TO_TREATMENT = 2;
const NOT_HIS = new Set(
  [
    'if wenn falls si se caso cas',
    'no not never kein keine keinen nicht ohne pas aucun aucune sans non nessun nessuna senza without denies risk',
    'risiko',
    'risque rischio family screening excluded suspected possible verdacht suspicion sospetto sospetta',
  ].flatMap((words) => words.split(' ')),
);

/** Diseases that a sentence says the patient has: "She has type 2 diabetes and hypertension". */
export function readDiagnosesInProse(page: LayoutPage): FoundDiagnosis[] {
  return sentencesOf(page.lines).flatMap((sentence) => {
    const words = sentence.map(({ text }) => text);
    const found: FoundDiagnosis[] = [];
    let end = -1;
    for (let at = 0; at < words.length; at += 1) {
      const count = knownDiagnosisAt(words, at);
      if (count === 0) continue;
      const before = foldWords(words.slice(Math.max(0, at - NEAR_WORDS), at).join(' '));
      const continues = end >= 0 && at - end <= 1;
      const after = foldWords(words.slice(at + count, at + count + WORDS_TO_TREATMENT).join(' '));
      const isHis = continues || before.some((word) => HAS.has(word)) || after.some((word) => TREATED.has(word));
      if (isHis && !before.some((word) => NOT_HIS.has(word)) && !isOfOther(words.slice(0, at).join(' '))) {
        const printed = sentence.slice(at, at + count);
        found.push({
          diagnosis_original: printed
            .map(({ text }) => text)
            .join(' ')
            .replace(/[.,;:()]+$/, ''),
          diagnosis_code: null,
          confidence: CERTAINTY * confidenceOf(printed),
          place: placeOf(page.page, printed),
        });
        end = at + count;
      }
      at += count - 1;
    }
    return found;
  });
}

const isOfOther = (before: string): boolean => mentions('other_person', before);

/** Words of running text, sentence by sentence. */
function sentencesOf(lines: readonly Line[]): Line['words'][] {
  const sentences: Line['words'][] = [[]];
  let isRunning = false;
  for (const line of lines) {
    const isProse = line.segments.length === 1 && line.words.length >= MIN_SENTENCE_WORDS;
    if (!isProse && !isRunning) {
      sentences.push([]);
      continue;
    }
    for (const word of line.words) {
      sentences.at(-1)?.push(word);
      if (/\p{L}{2}[.;:]$/u.test(word.text)) sentences.push([]);
    }
    isRunning = isProse;
  }
  return sentences.filter((words) => words.length > 2);
}
