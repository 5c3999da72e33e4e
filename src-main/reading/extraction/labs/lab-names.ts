import { parseLabFlag } from '../../../../src-shared/medical/lab-flag.ts';
import { isListedTest, isWordResult } from './lab-words.ts';

/** Symbols of elements, of complement, of vitamins and of thyroid hormones, and Swiss ones of blood cells. */
export const SYMBOLS = /^(?:[LTE]c|(?:K|Na|Ca|Mg|Fe|P|Cl|Zn|Cu|Se|Li|C3|C4)\+*|B(?:[1269]|12)|D[23]|T[34])$/;
/** Words in letterheads, footers and examinations that contain a number and look like a row. */
const NOT_A_TEST = new RegExp(
  [
    String.raw`(?:^|\b)(?:tel|telefon|téléphone|phone|fax|page|seite|pagina|geb|born|date|datum|data|iban|`,
    String.raw`total due|summe|betrag|gesamtbetrag|street|strasse|straße|via|rue|plz|age|alter|patient|nhs|ahv|pid|`,
    String.raw`order|auftrag|rechnung|invoice|facture|fattura|mrn|postfach|p\.?o\.? box|blood pressure|blutdruck|`,
    String.raw`tension|pressione|pulse|puls|pouls|polso|weight|gewicht|poids|peso|height|grösse|größe|taille|`,
    String.raw`altezza|bmi|imc|temp(?:\.|erature?|eratur|érature|eratura)?|spo2|minuten|minutes|minuti|uhr|tarmed|`,
    String.raw`ziffer|code)\b`,
  ].join(''),
  'iu',
);
/** Headings of texts, which may contain the words of a result. */
const HEADING_OF_TEXT = new RegExp(
  [
    String.raw`^(?:analyses?|tests?|parameter|untersuchung|bezeichnung|examens?|esam[ei]|analyte|interpr[eé]tations?|`,
    String.raw`interpretazione|conclusions?|conclusioni|commentaires?|comments?|commento|kommentar|befunde?|beurteilung|`,
    String.raw`bemerkung(?:en)?|remarques?|remarks?|notes?|nota|hinweise?|diagnos\p{L}+|anamnese|therapie|status|verlauf|`,
    String.raw`exam(?:ination)?|examen clinique|esame obiettivo|findings?|impression|allergi\p{L}+|antecedents?|`,
    String.raw`anamnesi|procedere|empfehlung(?:en)?|labor|laboratory|laboratoire|laboratorio)$`,
  ].join(''),
  'iu',
);
const WEIGHT_OF_URINE =
  /\b(?:spezifisches gewicht|peso spec(?:ifico|\.)|poids spécifique|(?:spez|sp)\.\s?gewicht)(?!\p{L})/iu;

/** Words that introduce a test: `Labor: CRP` is CRP. */
const INTRODUCTION = new RegExp(
  [
    String.raw`^(?:labor(?:werte|befunde)?|laboratory|labs?|bloods?|blood tests?|laboratoire|laboratorio|esami|`,
    String.raw`analyses?|blut(?:werte|bild)?|bilan|chemie|hämatologie)\s*:\s*`,
  ].join(''),
  'iu',
);

/** "ferritin 9 µg/l and HbA1c 41 mmol/mol": the second name without the word before it. */
const withoutConjunction = (name: string): string => name.replace(/^(?:and|und|sowie|et|e|ed)\s+(?=\S)/u, '');

/** Whether a text names two substances whose ratio is measured. */
export const isRatio = (text: string): boolean => RATIO.test(text);
const RATIO = /^\p{L}+(?: \p{L}+)?: \p{L}+ (?:ratio|quotient|index|rapport)$/iu;

/** The name at the end of words: "Alla dimissione: Hb", "and HbA1c". */
export function withoutIntroduction(words: string): string {
  // "Urine albumin: creatinine ratio" is one name.
  if (isRatio(words)) return words;
  const name = words.slice(words.lastIndexOf(': ') + 1).replace(/^[\s,;]+/, '');
  return withoutConjunction(isListedTest(name) || SYMBOLS.test(name) ? name : words);
}

/** "WBC 01": the number of the laboratory that made the test, which the foot of the page names. */
const FOOTNOTE = /(?<=\p{L}{2}\)?) 0\d$/u;

/** "Glicemia basale (ore 8:00)": when a sample was taken does not belong to the name. */
const HOUR = /\s\((?:ore|um|at|à)?\s?\d{1,2}[:.h]\d\d(?:\s?(?:h|Uhr))?\)$/iu;

/** Removes bullets, leaders and punctuation around a name, but not the periods of an abbreviation: `I.N.R.` */
export function cleanName(name: string): string {
  const plain = withoutIntroduction(name)
    .replace(INTRODUCTION, '')
    .replace(/(?<=Hb|\b)A(?:[lI|]|1[lI|]|[lI|]1)c\b/g, 'A1c')
    .replace(/\b[Il1|]{1,2}g([GMAED])\b/g, 'Ig$1')
    .replace(/^[\s*•·«»\-–|.,:;_]+/u, '')
    .replace(/(?:[\s.…_·]{2,}|[\s:;|,*…_=·-])+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(HOUR, '')
    .replace(FOOTNOTE, '');
  return /\.\s?\p{L}{1,3}\.$|\p{L}{2,5}\.$/u.test(plain) ? plain : plain.replace(/\.+$/, '');
}

/** "Klassen: 0 nicht nachweisbar, 1 grenzwertig" explains the results. */
const LEGEND = /^(?:klassen|classes|classi|legende?|legenda)(?:\s*:|$)/iu;

/** "+ above the norm   - below the norm", "* valore fuori dai limiti", "H = high": what the marks of a page mean. */
const LEGEND_OF_MARKS = new RegExp(
  [
    String.raw`^(?:[-–+*!↑↓▲▼]{1,3}|[HL](?=\s?[=:]))\s?[=:]?\s?(?:über|unter|ober|außer|ausser|erhöht|erniedrigt|above|`,
    String.raw`below|out(?:side)?\s|high|low|au-?\s?des|supérieu|inférieu|hors|sopra|sotto|superior|inferior|`,
    String.raw`fuori|(?:wert|value|result|valeur|résultat|valore|risultato)e?s?\s)\P{N}*$`,
  ].join(''),
  'iu',
);
/** Whether a line explains the marks beside the results. */
export const explainsMarks = (text: string): boolean => LEGEND_OF_MARKS.test(text.trim());

/** Whether a text may be the name of a test. */
export function isName(name: string): boolean {
  return (
    /\p{L}/u.test(name) &&
    (name.replace(/[^\p{L}]/gu, '').length >= 2 || SYMBOLS.test(name)) &&
    name.length <= 70 &&
    !HEADING_OF_TEXT.test(name) &&
    !LEGEND.test(name) &&
    parseLabFlag(name) === null &&
    !(NOT_A_TEST.test(name.replace(/(?<=\S )patient$/i, '')) && !WEIGHT_OF_URINE.test(name)) &&
    !isWordResult(name)
  );
}
