/** How many pieces; OCR reads "½" as a percent sign, and 0 and 1 as letters. */
const COUNT = String.raw`(?:\d{1,2}(?:[.,/]\d{1,2})?|\d?[½¼¾%]|(?<!\p{L})[OolI|](?!\p{L})|-|–)`;
const DASH = String.raw`\s?[-–—−‐‑/]\s?`;
/** Doses in the morning, at noon, in the evening and at night: `1-0-1-0`, `1 - 0 - ½`, `10-0-10`. */
const SCHEME = new RegExp(
  String.raw`(?<![\d-])${COUNT}${DASH}${COUNT}${DASH}${COUNT}(?:${DASH}${COUNT})?(?![\d-])`,
  'gu',
);
/** "80 mg/kg/j". */
const PER_TIME = String.raw`(?:\s?\/\s?(?:24\s?h|h|min|d|day|die|j|jour|tag|tg|giorno)(?!\p{L}))?`;
/** "55 mg/dl" is the concentration of something in a sample. */
const OF_SAMPLE = String.raw`\s?\/\s?(?:d?l|mmol|mol|24\s?h)(?![\p{L}\d])`;
/** Scans lose the space between a unit and the form: "1 gcp", "49/51 mgcp". */
const GLUED_FORM = '(?:cpr?s?|tabl?|tbl|caps?|kps|gél|comp|amp|supp)';
/** The second substance of a combination with a unit of its own: "500 mg/400 UI", "20 mg/ml + 5 mg/ml". */
const SECOND = [
  String.raw`(?:\s?[/+]\s?\d[\d.,]*\s?(?:mg|µg|μg|mcg|micrograms?|g|IE|I\.E\.|IU|UI|U\.I\.|`,
  String.raw`units?|unités|unità|Einheiten)(?:\s?\/\s?ml(?!\p{L}))?(?:(?![\p{L}\d]|\s?\/)|`,
  String.raw`(?=${GLUED_FORM}(?!\p{L}))))?`,
].join('');
/** The strength of a medicine with its unit, also combined (`160/12.5 mg`) and per volume (`250 mg/5 ml`). */
const STRENGTH = new RegExp(
  [
    String.raw`(?<![\d.,/])(?:(?<!\p{L})\d{1,3}(?: \d{3})+(?!\d)|`,
    String.raw`(?:\d{1,4}(?:[.,]\d+)?-(?=\d[\d.,]*\s?(?:mg|mcg|µg)))?\d[\d.,']*)`,
    String.raw`(?:\s?[/+]\s?\d[\d.,]*){0,3}\s?`,
    String.raw`(?:mg|µg|μg|ug|pg|mcg|meg|mikrogramm|`,
    String.raw`jug|[hl]g|micro-?gram(?:me|m[io]|o)?s?|milli-?gram(?:me|m[io]|o)?s?|g|grammes?|grams?|ml|mL|IE|`,
    String.raw`I\.E\.|IU|UI|U\.I\.|E|U|units?|unités|unità|unidades|Einheiten|mmol|mval|mEq|%|kIE|Mio\.?\s?IE|GBq|Hub|`,
    String.raw`puffs?)(?:\s?\/\s?(?:\d[\d.,]*\s?)?(?:ml|mL|mg|µg|mcg|g|h|hr|hour|heure|ora|Std|Stunde|d|Tag|day|dose|Dosis|Hub|Tbl|Tabl|Stück|kg|`,
    String.raw`puff|actuation|spray|24\s?h|\d+\s?h|\d[\d.,]*\s?%)${PER_TIME})?`,
    String.raw`${SECOND}(?:\s?\/\s?\d[\d.,]*\s?ml)?(?:(?![\p{L}\d])|(?=${GLUED_FORM}(?!\p{L})))(?!${OF_SAMPLE})`,
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

/** "ore 8-14-20" are hours. */
const CLOCK_BEFORE = /(?<!\p{L})(?:ore|um|uhr|heures|at)\s*$/iu;
/** Finds a dosing scheme: `1-0-1-0`. The strength of a combination, `92/55/22 µg`, is none. */
export function findScheme(text: string): RegExpExecArray | null {
  const strength = findStrength(text);
  const end = strength ? strength.index + strength[0].length : 0;
  return (
    [...text.matchAll(SCHEME)].find(
      ({ 0: scheme, index }) =>
        /[\d½lI|]/.test(scheme) &&
        !CLOCK_BEFORE.test(text.slice(0, index)) &&
        (!strength || !scheme.includes('/') || index >= end || index + scheme.length <= strength.index),
    ) ?? null
  );
}
/** A scheme with hyphens and without spaces, its counts as they were printed. */
export const tidyScheme = (scheme: string): string =>
  scheme
    .replace(/\s/g, '')
    .replace(/[–—−‐‑]/g, '-')
    .replace(/%/g, '½')
    .replace(/[Oo]/g, '0')
    .replace(/[lI|]/g, '1');
/** Finds a strength: `160/12.5 mg`. */
export const findStrength = (text: string): RegExpExecArray | null => STRENGTH.exec(text);
/** Numbers without a unit behind a name, not a fraction: `200/6`, `2.5/2.5`, `40`. */
const BARE_STRENGTH =
  /(?<=\p{L}[)®™]?\s{1,9})(?!1\/[234]\b|3\/4\b)(?:\d{1,4}(?:[.,]\d{1,2})?(?:\s?\/\s?\d{1,4}(?:[.,]\d{1,2})?){1,2}|\d{2,4}(?:[.,]\d{1,2})?)(?=$|,?\s)/u;
/** Finds the strength of a medicine that is printed without its unit: `200/6`. */
export const findBareStrength = (text: string): RegExpExecArray | null => BARE_STRENGTH.exec(text);
/** Finds the size of a pack: `30 Tabl.`, `N2`. */
export const findQuantity = (text: string): RegExpExecArray | null => QUANTITY.exec(text);

/** Finds how long a medicine is taken, as printed. */
export const findDuration = (text: string): { text: string; index: number } | null => {
  const match = DURATION.exec(text);
  if (match) return { text: (match[1] ?? match[0]).trim(), index: match.index };
  const longTerm = LONG_TERM.exec(text);
  return longTerm && { text: longTerm[0], index: longTerm.index };
};

/** What one piece contains, "100 micrograms/dose", is its strength; "850mg" has a space, and micro its sign. */
export const tidyStrength = (printed: string): string =>
  printed
    .replace(/\s?\/\s?(?:dose|dosis|hub|puff|actuation|spray)$/iu, '')
    .replace(/(\d)(\p{L}|µ)/gu, '$1 $2')
    .replace(/\b(?:[up]g|jug|[HLhl]g)\b/, 'µg')
    .replace(/\bmeg\b/, 'mcg')
    .replace(/\s+/g, ' ');
