import { findDirections } from '../../../../src-shared/medical/directions.ts';

/** "S: 1-0-0-0", "Sig. one at night", "S/ 1 comprimé": the sign of directions, or their label. */
const LABEL = new RegExp(
  [
    String.raw`^(?:(?:d\.?\s?)?s\.?\s?[:/]|sig(?:na)?\s?[.:]|(?:d\.?\s?)?s\.\s+(?=\d|½|\p{L})|dj\s|`,
    String.raw`(?:dosierung|dosieranweisung|dosis|anwendung|einnahme|gebrauch|directions?|instructions|dose|dosage|use|`,
    String.raw`posologie|mode d['’]emploi|prise|posologia|modalità|assunzione|uso)\s?:|`,
    // OCR loses the colon that French puts apart.
    String.raw`(?:dosierung|directions|posologie|posologia)\s+(?=\d\s?[-–\s]))\s*`,
  ].join(''),
  'iu',
);
const SCHEME_AT_START = /^\d(?:[/.,]\d)?\s?[-–]\s?\d(?:[/.,]\d)?\s?[-–]\s?\d/u;
/** What a line of directions begins with. */
export const INSTRUCTION = new RegExp(
  [
    String.raw`^(?:(?:one|two|half|\d)(?: or two)? to be |take|apply|inhale|inject|use|chew|give|instil+|place|mix|`,
    String.raw`dissolve|insert|put|swallow|suck|prendre|mettre|dissoudre|diluer|applicare|inalare|sciogliere|`,
    String.raw`prenez|appliquer|tomar|assumere|prendere|einnehmen|nehmen sie)(?!\p{L})`,
  ].join(''),
  'iu',
);
/** Lines of a prescription that say how much is handed out: "Dispense: 30 tablets", "QSP 3 mois", "Refills: 2". */
const SUPPLY = new RegExp(
  [
    String.raw`^(?:dispense|disp|supply|mitte|qty|quantity|quantit[éà]|qsp|refills?|repeats?|issues?|menge|anzahl|da\s?:|`,
    String.raw`d\.?\s?tal|op\s?\d?$|n[123]$|(?:à |a )?renouvel|ar\s?[:(]|aut idem|non substituable|no substitution|`,
    String.raw`\d{1,4}\s?(?:stk|stück|st|hub)\.?(?=$|\s\s|\s(?:rezept|à|€|eur|chf))|`,
    String.raw`daw|last issued|pack(?:ung)?\s?:|boîtes?\s?:|confezioni?\s?:)(?!\p{L})`,
  ].join(''),
  'iu',
);

/** Whether a text is only about the packages that a pharmacy hands out. */
export const isSupply = (text: string): boolean => SUPPLY.test(text.trim());

/** Whether a line is about the medicine above: "1 2 fois par jour pendant 7 jours", "Sig: one at night". */
export const isDirections = (text: string): boolean =>
  LABEL.test(text) ||
  SCHEME_AT_START.test(text) ||
  INSTRUCTION.test(text) ||
  isSupply(text) ||
  (findDirections(text)?.index ?? Infinity) <= 4;

/** How a medicine is taken by a line of its own, behind the label that it may have. */
export const directionsOf = (text: string): string | null =>
  findDirections(text.trim().replace(LABEL, ''))?.text ?? null;
