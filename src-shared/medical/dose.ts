const COUNT = String.raw`(?:\d{1,2}(?:[.,/]\d{1,2})?|½|¼|¾|\d½|-|–)`;
/** Doses in the morning, at noon, in the evening and at night: `1-0-1-0`, `1 - 0 - ½`, `10-0-10`. */
const SCHEME = new RegExp(
  String.raw`(?<![\d-])${COUNT}\s?[-–—/]\s?${COUNT}\s?[-–—/]\s?${COUNT}(?:\s?[-–—/]\s?${COUNT})?(?![\d-])`,
  'u',
);
/** The strength of a medicine with its unit, also combined (`160/12.5 mg`) and per volume (`250 mg/5 ml`). */
const STRENGTH = new RegExp(
  [
    String.raw`(?<![\d.,/])\d[\d.,']*(?:\s?\/\s?\d[\d.,]*){0,2}\s?(?:mg|µg|μg|ug|pg|mcg|mikrogramm|g|ml|mL|IE|`,
    String.raw`I\.E\.|IU|UI|U\.I\.|E|U|units?|Einheiten|mmol|mval|mEq|%|kIE|Mio\.?\s?IE|GBq|Hub|`,
    String.raw`puffs?)(?:\s?\/\s?(?:\d[\d.,]*\s?)?(?:ml|mL|mg|g|h|d|Tag|day|dose|Dosis|Hub|Tbl|Tabl|Stück|kg|`,
    String.raw`24\s?h|\d+\s?h))?(?![\p{L}\d])`,
  ].join(''),
  'iu',
);

const CLOCK = String.raw`\d{1,2}(?:[.:]\d\d)?`;
const FREQUENCIES: readonly RegExp[] = [
  // By the clock: "ore 8 e ore 20", "um 8 Uhr und 20 Uhr", "à 8 h et 20 h", "at 8 am and 8 pm".
  new RegExp(
    [
      String.raw`(?<!\p{L})(?:alle )?ore ${CLOCK}(?:\s?(?:,|e|-|–)\s?(?:alle )?(?:ore )?${CLOCK})*(?![\p{L}\d])|`,
      String.raw`(?<!\p{L})um ${CLOCK}(?: Uhr)?(?:\s?(?:,|und|\+)\s?(?:um )?${CLOCK}(?: Uhr)?)*(?<= Uhr)|`,
      String.raw`(?<!\p{L})à \d{1,2} ?h(?:\d\d)?(?:\s?(?:,|et)\s?(?:à )?\d{1,2} ?h(?:\d\d)?)*(?![\p{L}\d])|`,
      String.raw`(?<!\p{L})at ${CLOCK} ?[ap]\.?m\b\.?(?:\s?(?:,|and)\s?(?:at )?${CLOCK} ?[ap]\.?m\b\.?)*`,
    ].join(''),
    'iu',
  ),
  // Times a day and pieces at a time: "2 x 2", "3x1 Tbl.".
  /(?<![\d.,])\d\s?[x×]\s?(?:\d{1,2}(?:[.,]5)?|½)(?![\p{L}\d.,]|\s?(?:cm|mm|mg|g|ml|cp|stk|st)\b)/iu,
  /(?<!\p{L})alle (?:\d{1,2}|zwei|drei|vier|fünf|sieben|zwölf) (?:stunden|std\.?|tage|wochen)(?: \d{1,2}(?![\p{L}\d.,]))?/iu,
  new RegExp(
    [
      String.raw`(?:\d+|one|two|three|ein(?:e|en)?|zwei|drei|une?|deux|trois|una?|due|tre|½|1\/2)\s?(?:x|×|mal|`,
      String.raw`times?|fois|volte?|volta)\s?(?:\d+\s?(?:\p{L}+\.?\s)?)?(?:\/\s?)?(?:pro |per |par |al |a |an? |`,
      String.raw`in )?(?:tag|täglich|tägl\.?|tgl\.?|day|daily|d\b|die|jour|j\b|giorno|giornaliera?|wöchentlich|`,
      String.raw`woche|week(?:ly)?|wk|semaine|settimana|monat(?:lich)?|month(?:ly)?|mois|mese|weekly)`,
    ].join(''),
    'iu',
  ),
  new RegExp(
    [
      String.raw`(?:(?:once|twice|three times|four times) (?:a |per )?(?:daily|day|week|weekly|month|`,
      String.raw`monthly)|(?:once|twice) (?:in the )?(?:morning|evening)|every (?:\d+|other|six|eight|`,
      String.raw`twelve) (?:hours?|days?|morning|evening|night|weeks?)|every (?:morning|evening|night|day)|daily|`,
      String.raw`nightly|at bedtime|at night|in the (?:morning|evening)|with meals|as needed|as required|`,
      String.raw`when required|prn|weekly|monthly)(?:[ ,]+(?:at bedtime|in the morning|in the evening|with meals|`,
      String.raw`with food|before meals|after meals|as needed|prn|for pain))?`,
    ].join(''),
    'iu',
  ),
  new RegExp(
    [
      String.raw`\b(?:o\.?d\.?|b\.?i\.?d\.?|b\.?d\.?|t\.?i\.?d\.?|t\.?d\.?s\.?|q\.?i\.?d\.?|q\.?d\.?s\.?|`,
      String.raw`q\.?d\.?|qhs|q\s?\d{1,2}\s?h|nocte|mane|stat|p\.?r\.?n\.?)\b`,
    ].join(''),
    'iu',
  ),
  new RegExp(
    [
      String.raw`(?:täglich|tägl\.|morgens(?: und abends)?|mittags|abends|nachts|zur nacht|`,
      String.raw`vor dem schlafen(?:gehen)?|bei bedarf|b\. ?bed\.|alle \d+ (?:stunden|std\.?|tage|wochen)|`,
      String.raw`stündlich|wöchentlich|monatlich|nach bedarf|nüchtern)(?:[ ,]+(?:und )?(?:\d+ )?(?:morgens|`,
      String.raw`mittags|abends|nachts|vor dem essen|nach dem essen|zum essen|bei schmerzen|bei bedarf))*`,
    ].join(''),
    'iu',
  ),
  new RegExp(
    [
      String.raw`(?:matin(?:,? midi)?(?: et|,)? soir|le matin|le soir|au coucher|le midi|matin|midi|soir|`,
      String.raw`par jour|toutes les \d+ ?h(?:eures)?|si besoin|en cas de (?:besoin|douleurs?)|chaque (?:jour|`,
      String.raw`matin|soir)|tous les jours|une fois par (?:jour|semaine|mois)|deux fois par jour|`,
      String.raw`trois fois par jour)`,
    ].join(''),
    'iu',
  ),
  new RegExp(
    [
      String.raw`(?:mattina e sera|al mattino|alla sera|la sera|la mattina|al giorno|mattino|mattina|sera|`,
      String.raw`prima di (?:dormire|coricarsi)|al bisogno|ogni \d+ (?:ore|giorni)|ogni (?:giorno|sera|mattina)|`,
      String.raw`una volta al (?:giorno|mese)|due volte al giorno|tre volte al giorno|\/die)`,
    ].join(''),
    'iu',
  ),
];
const AMOUNT = new RegExp(
  [
    String.raw`(?:(?:take|einnehmen|prendre|assumere)\s+)?(?:\d+(?:[.,]\d+)?|½|1\/2|one|two|ein(?:e|en)?|zwei|une?|`,
    String.raw`deux|una?|due)\s+(?:tabl?(?:et(?:te)?)?s?n?\.?|tbl\.?|tabs?\.?|comprim[ée]s?|compress[ae]|cpr?\.?|`,
    String.raw`cps\.?|kaps(?:el)?n?\.?|caps?(?:ule)?s?\.?|capsul[ae]|gél(?:ule)?s?|puffs?|hub|hübe|inhal\w*|`,
    String.raw`tropfen|drops?|gouttes|gocce|sachets?|beutel|bustin[ae]|ml|pflaster|patch(?:es)?|stück|st\.?)\s*|\d\s?[x×]\s*`,
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

/** Conditions after a frequency: "à jeun", "si douleur ou fièvre", "zum Essen", "if needed". */
const CONDITION = new RegExp(
  [
    String.raw`^,?\s*\(?(?:à jeun|aux? repas|avant (?:le |les )?repas|après (?:le |les )?repas|nüchtern|`,
    String.raw`(?:zum|zu den|vor dem|nach dem|vor den|nach den) (?:essen|mahlzeiten?)|on an empty stomach|`,
    String.raw`(?:with|before|after) (?:food|meals?|breakfast)|a digiuno|ai pasti|(?:prima|dopo) (?:dei|i) pasti|`,
    String.raw`a stomaco (?:vuoto|pieno)|(?:si|en cas de|bei|wenn|if|for|se|in caso di)\s+\p{L}{3,}(?: (?!(?:ou|et|oder|und|or|and|o|e)\b)\p{L}+)?`,
    String.raw`(?:,? (?:ou|et|oder|und|or|and|o|e) \p{L}{3,})?)\)?(?!\p{L})`,
  ].join(''),
  'iu',
);

/** Finds a dosing scheme: `1-0-1-0`. */
export const findScheme = (text: string): RegExpExecArray | null => SCHEME.exec(text);
/** Finds a strength: `160/12.5 mg`. */
export const findStrength = (text: string): RegExpExecArray | null => STRENGTH.exec(text);
/** Finds the size of a pack: `30 Tabl.`, `N2`. */
export const findQuantity = (text: string): RegExpExecArray | null => QUANTITY.exec(text);

/** Finds how often a medicine is taken, as printed: a scheme, otherwise words with the amount before them. */
export function findFrequency(text: string): { text: string; index: number } | null {
  const scheme = SCHEME.exec(text);
  if (scheme) return { text: scheme[0].replace(/\s/g, '').replace(/[–—]/g, '-'), index: scheme.index };
  for (const form of FREQUENCIES) {
    const match = form.exec(text);
    if (!match) continue;
    const before = AMOUNT.exec(text.slice(0, match.index));
    const from = before && before.index + before[0].length >= match.index - 2 ? before.index : match.index;
    const end = match.index + match[0].length;
    const condition = CONDITION.exec(text.slice(end))?.[0] ?? '';
    return { text: `${text.slice(from, end)}${DURATION.test(condition) ? '' : condition}`.trim(), index: from };
  }
  return null;
}

/** Finds how long a medicine is taken, as printed. */
export const findDuration = (text: string): { text: string; index: number } | null => {
  const match = DURATION.exec(text);
  if (match) return { text: (match[1] ?? match[0]).trim(), index: match.index };
  const longTerm = LONG_TERM.exec(text);
  return longTerm && { text: longTerm[0], index: longTerm.index };
};
