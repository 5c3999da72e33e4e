const COUNT = String.raw`(?:\d{1,2}(?:[.,/]\d{1,2})?|½|¼|¾|\d½|-|–)`;
/** Doses in the morning, at noon, in the evening and at night: `1-0-1-0`, `1 - 0 - ½`, `10-0-10`. */
const SCHEME = new RegExp(
  String.raw`(?<![\d-])${COUNT}\s?[-–—/]\s?${COUNT}\s?[-–—/]\s?${COUNT}(?:\s?[-–—/]\s?${COUNT})?(?![\d-])`,
  'gu',
);
/** The strength of a medicine with its unit, also combined (`160/12.5 mg`) and per volume (`250 mg/5 ml`). */
const STRENGTH = new RegExp(
  [
    String.raw`(?<![\d.,/])(?:(?<!\p{L})\d{1,3}(?: \d{3})+(?!\d)|\d[\d.,']*)(?:\s?\/\s?\d[\d.,]*){0,3}\s?`,
    String.raw`(?:mg|µg|μg|ug|pg|mcg|mikrogramm|`,
    String.raw`micro-?gram(?:me|m[io]|o)?s?|milli-?gram(?:me|m[io]|o)?s?|g|grammes?|grams?|ml|mL|IE|`,
    String.raw`I\.E\.|IU|UI|U\.I\.|E|U|units?|unités|unità|unidades|Einheiten|mmol|mval|mEq|%|kIE|Mio\.?\s?IE|GBq|Hub|`,
    String.raw`puffs?)(?:\s?\/\s?(?:\d[\d.,]*\s?)?(?:ml|mL|mg|µg|mcg|g|h|d|Tag|day|dose|Dosis|Hub|Tbl|Tabl|Stück|kg|`,
    String.raw`puff|actuation|spray|24\s?h|\d+\s?h))?(?![\p{L}\d])`,
  ].join(''),
  'iu',
);

const DURATION = new RegExp(
  [
    String.raw`(?:for |für |während |pendant |durant |per |x\s?)?(\d{1,3}\s?(?:days?|d\b|tage?n?|t\b|jours?|j\b|`,
    String.raw`giorni|gg\b|weeks?|wks?|wochen?|wo\b|semaines?|sem\b|settimane?|months?|mo\b|monate?n?|mt\b|mois|`,
    String.raw`mes[ei]|years?|jahre?|ans?|anni))(?![\p{L}])`,
  ].join(''),
  'iu',
);
const LONG_TERM = new RegExp(
  [
    String.raw`\b(?:long[- ]term|ongoing|continuous(?:ly)?|dauertherapie|dauermedikation|dauernd|bis auf weiteres|`,
    String.raw`unbefristet|au long cours|traitement de fond|en continu|terapia cronica|continuativa|`,
    String.raw`a lungo termine)\b`,
  ].join(''),
  'iu',
);
const QUANTITY = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:n[123]\b|op\s?\d?\b|(?:packung|pack|pkg|boîte|bte|scatol[ae]|conf(?:ezion[ei])?|`,
    String.raw`box)\s?(?:à|a|of|de|da|mit)?\s?\d{1,4}|(?:qty|quantity|menge|quantité|quantità|dispense|disp|nr|no|`,
    String.raw`n°|#|#:)\.?\s?:?\s?\d{1,4}|\d{1,4}\s?(?:stk|stück|st|tbl|tabl|tabs|kaps|cpr|cp|caps|tablets|`,
    String.raw`tabletten|comprimés|compresse|capsules|kapseln)\.?(?![\p{L}]))`,
  ].join(''),
  'iu',
);

/** Finds a dosing scheme: `1-0-1-0`. The strength of a combination, `92/55/22 µg`, is none. */
export function findScheme(text: string): RegExpExecArray | null {
  const strength = findStrength(text);
  const end = strength ? strength.index + strength[0].length : 0;
  return (
    [...text.matchAll(SCHEME)].find(
      ({ 0: scheme, index }) =>
        !strength || !scheme.includes('/') || index >= end || index + scheme.length <= strength.index,
    ) ?? null
  );
}
/** Finds a strength: `160/12.5 mg`. */
export const findStrength = (text: string): RegExpExecArray | null => STRENGTH.exec(text);
/** Finds the size of a pack: `30 Tabl.`, `N2`. */
export const findQuantity = (text: string): RegExpExecArray | null => QUANTITY.exec(text);

/** Finds how long a medicine is taken, as printed. */
export const findDuration = (text: string): { text: string; index: number } | null => {
  const match = DURATION.exec(text);
  if (match) return { text: (match[1] ?? match[0]).trim(), index: match.index };
  const longTerm = LONG_TERM.exec(text);
  return longTerm && { text: longTerm[0], index: longTerm.index };
};
