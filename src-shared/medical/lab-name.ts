import { foldTerm } from './name-fold.ts';

/** The sample of a test, where it distinguishes tests of the same name. Serum, plasma and whole blood count as one. */
export type Specimen = 'blood' | 'urine' | 'csf' | 'stool' | 'other';

/** Letters that laboratories print before a name: `S-Kreatinin`, `U-Natrium`, `Lq-Eiweiss`. */
const PREFIX = /^(s|se|p|pl|b|vb|ab|kb|cb|fb|e|u|ur|su|du|du24|u24|24hu|lq|csf|st|stu)\s?[-–:/_]\s?(?=\p{L})/iu;
const PREFIXES: Readonly<Record<string, Specimen>> = {
  u: 'urine',
  ur: 'urine',
  su: 'urine',
  du: 'urine',
  du24: 'urine',
  u24: 'urine',
  '24hu': 'urine',
  lq: 'csf',
  csf: 'csf',
  st: 'stool',
  stu: 'stool',
};

const SPECIMEN_WORDS: readonly (readonly [Specimen, RegExp])[] = [
  [
    'urine',
    new RegExp(
      [
        String.raw`\b(?:in |im |i |nelle? |dans les? |de l |dans l )?(?:24 ?h ?)?(?:urine?s?|urinaires?|`,
        String.raw`urinari[oae]|harn|spot ?urin|spontanurin|morgenurin|mittelstrahlurin|sammelurin|urinstatus|`,
        String.raw`urina)\b|\bi ?u\b`,
      ].join(''),
      'gu',
    ),
  ],
  [
    'csf',
    new RegExp(
      [
        String.raw`\b(?:in |im |i |nel |dans le )?(?:csf|liquor|lcr|cerebrospinal fluid|liquor cerebrospinalis|`,
        String.raw`liquide cephalo rachidien|cephalorachidien)\b`,
      ].join(''),
      'gu',
    ),
  ],
  ['stool', /\b(?:in |im |i |nelle |dans les )?(?:stool|stuhl|selles|feci|faeces|feces|faecal|fecale?|fecal[ei])\b/gu],
  [
    'blood',
    new RegExp(
      [
        String.raw`\b(?:in |im |i |nel |dans le |of )?(?:serum|plasma|vollblut|whole blood|seriques?|plasmatique|`,
        String.raw`sierico|sierica|plasmatico|plasmatica|siero|kapillarblut|edta blut|citratplasma|`,
        String.raw`heparinplasma)\b|\b(?:in|im|nel|dans le) (?:blut|blood|sangue|sang)\b|\bi ?[spb]\b`,
      ].join(''),
      'gu',
    ),
  ],
];
/** Words for blood that may also be the analyte (`occult blood`) or part of a name (`red blood cells`). */
const BLOOD = /\b(?:blut|blood|sanguins?|sanguines?|ematic[aoi]|sangue|sang)\b/gu;
/** Urine collected over a day. Amounts per day and concentrations are different tests. */
const DAY_URINE = /\b24 ?(?:h|hr|hrs|std|stunden|hours?|heures?|ore)\b|\b(?:sammelurin|tagesurin)\b/u;
const DAY_URINE_PREFIX = /^(?:du|du24|u24|24hu)$/;
/** Words for the method, which do not distinguish tests. */
const METHOD = new RegExp(
  [
    String.raw`\b(?:enzymatisch|enzym|enzymatic|photometrisch|berechnet|kalkuliert|calculated|calc|calcule|`,
    String.raw`calcolato|turbidimetrisch|nephelometrisch|immunologisch|ifcc|37 c|37 ?grad|messung|bestimmung|`,
    String.raw`dosage|dosaggio|maschinell|automatisch|basal)\b`,
  ].join(''),
  'gu',
);
/**
 * Words that rarely distinguish tests (`quantitative protein`, `glucose screening`): removed only if the whole name is
 * unknown.
 */
const MINOR_WORDS =
  /\b(?:quantitativ|quantitative|quant|quantitatif|level|taux de|screening|screen|suchtest|estimation)\b/gu;

/** Recognizes the sample in a laboratory's words (`Serum`, `Spontanurin`, `LCR`); null if there is none. */
export function specimenOf(words: string | null | undefined): Specimen | null {
  const folded = foldTerm(words ?? '');
  if (folded === '') return null;
  const letter = PREFIXES[folded];
  if (letter) return letter;
  const specimenOfWord = SPECIMEN_WORDS.find(([, pattern]) => folded.search(pattern) >= 0)?.[0];
  return specimenOfWord ?? (folded.search(BLOOD) >= 0 ? 'blood' : null);
}

/** Whether the words mean urine collected over a day (`24-h-Urin`, `dU-Natrium`). */
export function isDayUrine(words: string | null | undefined): boolean {
  const text = (words ?? '').trim();
  return DAY_URINE.test(foldTerm(text)) || DAY_URINE_PREFIX.test((PREFIX.exec(text)?.[1] ?? text).toLowerCase());
}

export interface LabName {
  /** Folded forms, closest to the printed name first; none is empty. */
  forms: string[];
  /** The sample that the name itself contains. */
  specimen: Specimen | null;
}

/**
 * Returns the folded forms under which a printed test may be known: as printed, without sample and method, without the
 * brackets, and the content of the brackets. `S-Kreatinin (enzym.)` → `s kreatinin enzym`, `kreatinin enzym`,
 * `kreatinin`, …
 */
export function readLabName(printed: string): LabName {
  const text = printed.trim();
  const prefix = PREFIX.exec(text);
  const bare = prefix ? text.slice(prefix[0].length) : text;
  let specimen: Specimen | null = prefix ? (PREFIXES[(prefix[1] ?? '').toLowerCase()] ?? 'blood') : null;
  const folded = foldTerm(bare);
  let core = folded;
  for (const [kind, pattern] of SPECIMEN_WORDS) {
    const stripped = core.replace(pattern, ' ').replace(/\s+/g, ' ').trim();
    if (stripped === core || stripped === '') continue;
    core = stripped;
    specimen ??= kind;
  }
  core = core.replace(BLOOD, ' ').replace(/\s+/g, ' ').trim() || core;
  const brackets = [...bare.matchAll(/[([]([^)\]]{1,60})[)\]]/g)].map((match) => match[1] ?? '');
  const withoutBrackets = foldTerm(bare.replace(/[([][^)\]]*[)\]]/g, ' '));
  const forms = [
    foldTerm(text),
    folded,
    core,
    stripMethod(core),
    stripMinorWords(stripMethod(core)),
    stripMethod(withoutBrackets),
    stripMinorWords(stripMethod(stripSpecimen(withoutBrackets))),
    ...brackets.map((inner) => foldTerm(inner)),
  ];
  return { forms: [...new Set(forms)].filter((form) => form !== ''), specimen };
}

/**
 * Returns the key under which the spelling of a test is stored: without the method and the letter for serum or blood.
 * Other samples, from the name or from `sample` (the laboratory's word for it), come first (`urine natrium`), as does
 * urine collected over a day (`urine 24h natrium`).
 */
export function labNameKey(printed: string, sample: string | null = null): string {
  const text = printed.trim();
  const specimen = readLabName(text).specimen ?? specimenOf(sample);
  const prefix = PREFIX.exec(text);
  // In `P-Amylase` the letter may mean pancreas, in `p-ANCA` perinuclear.
  const isSample = prefix !== null && prefix[1]?.toLowerCase() !== 'p';
  const core = stripMethod(stripSpecimen(foldTerm(isSample ? text.slice(prefix[0].length) : text))) || foldTerm(text);
  if (specimen === null || specimen === 'blood') return core;
  const isOverDay = specimen === 'urine' && (isDayUrine(text) || isDayUrine(sample));
  return `${specimen}${isOverDay ? ' 24h' : ''} ${core}`;
}

/** Returns a function that removes the pattern, unless no text would remain. */
const createStripper =
  (pattern: RegExp) =>
  (folded: string): string =>
    folded.replace(pattern, ' ').replace(/\s+/g, ' ').trim() || folded;
const stripMethod = createStripper(METHOD);
const stripMinorWords = createStripper(MINOR_WORDS);

function stripSpecimen(folded: string): string {
  let core = folded;
  for (const [, pattern] of SPECIMEN_WORDS) core = core.replace(pattern, ' ').replace(/\s+/g, ' ').trim() || core;
  return core;
}
