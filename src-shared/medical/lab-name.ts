import { foldTerm } from './name-fold.ts';

/** What was sampled, as far as it makes another test of the same name. Serum, plasma and whole blood count as one. */
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
/** Blood that may be what is looked for (`occult blood`) or part of a name (`red blood cells`). */
const BLOOD = /\b(?:blut|blood|sanguins?|sanguines?|ematic[aoi]|sangue|sang)\b/gu;
/** A day's urine: amounts a day are other tests than concentrations. */
const COLLECTED = /\b24 ?(?:h|hr|hrs|std|stunden|hours?|heures?|ore)\b|\b(?:sammelurin|tagesurin)\b/u;
const COLLECTED_PREFIX = /^(?:du|du24|u24|24hu)$/;
/** Words about the method that make no other test. */
const METHOD = new RegExp(
  [
    String.raw`\b(?:enzymatisch|enzym|enzymatic|photometrisch|berechnet|kalkuliert|calculated|calc|calcule|`,
    String.raw`calcolato|turbidimetrisch|nephelometrisch|immunologisch|ifcc|37 c|37 ?grad|messung|bestimmung|`,
    String.raw`dosage|dosaggio|maschinell|automatisch|basal)\b`,
  ].join(''),
  'gu',
);
/**
 * Words that mostly make no other test, but may (`quantitative protein`, `glucose screening`): only tried when
 * nothing goes by the whole name.
 */
const LOOSE = /\b(?:quantitativ|quantitative|quant|quantitatif|level|taux de|screening|screen|suchtest|estimation)\b/gu;

/**
 * The sample that a laboratory's own words name (`Serum`, `Spontanurin`, `LCR`), or null.
 */
export function specimenOf(words: string | null | undefined): Specimen | null {
  const folded = foldTerm(words ?? '');
  if (folded === '') return null;
  const letter = PREFIXES[folded];
  if (letter) return letter;
  const found = SPECIMEN_WORDS.find(([, pattern]) => folded.search(pattern) >= 0)?.[0];
  return found ?? (folded.search(BLOOD) >= 0 ? 'blood' : null);
}

/** Whether the words name a day's urine (`24-h-Urin`, `dU-Natrium`). */
export function isCollected(words: string | null | undefined): boolean {
  const text = (words ?? '').trim();
  return COLLECTED.test(foldTerm(text)) || COLLECTED_PREFIX.test((PREFIX.exec(text)?.[1] ?? text).toLowerCase());
}

export interface LabName {
  /** Folded forms, the most faithful first; none is empty. */
  forms: string[];
  /** What the name itself says about the sample. */
  specimen: Specimen | null;
}

/**
 * Folded forms under which a printed test may be known: as printed, without sample and method, without what is in brackets, and
 * the brackets' content. `S-Kreatinin (enzym.)` → `s kreatinin enzym`, `kreatinin enzym`, `kreatinin`, …
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
    strip(core),
    stripLoose(strip(core)),
    strip(withoutBrackets),
    stripLoose(strip(stripSpecimen(withoutBrackets))),
    ...brackets.map((inner) => foldTerm(inner)),
  ];
  return { forms: [...new Set(forms)].filter((form) => form !== ''), specimen };
}

/**
 * The key of a printed test, for look-ups of stored spellings: without method and the letter of serum or blood. Other samples are in
 * front (`urine natrium`), from the name itself or from `sample`, the laboratory's word for it; so does a day's urine (`urine 24h natrium`).
 */
export function labNameKey(printed: string, sample: string | null = null): string {
  const text = printed.trim();
  const named = readLabName(text).specimen;
  const specimen = named ?? specimenOf(sample);
  const prefix = PREFIX.exec(text);
  // `P-Amylase` is also that of the pancreas, `p-ANCA` are those around the nucleus.
  const isSample = prefix !== null && prefix[1]?.toLowerCase() !== 'p';
  const core = strip(stripSpecimen(foldTerm(isSample ? text.slice(prefix[0].length) : text))) || foldTerm(text);
  if (specimen === null || specimen === 'blood') return core;
  return `${specimen}${specimen === 'urine' && (isCollected(text) || isCollected(sample)) ? ' 24h' : ''} ${core}`;
}

const without =
  (pattern: RegExp) =>
  (folded: string): string =>
    folded.replace(pattern, ' ').replace(/\s+/g, ' ').trim() || folded;
const strip = without(METHOD);
const stripLoose = without(LOOSE);

function stripSpecimen(folded: string): string {
  let core = folded;
  for (const [, pattern] of SPECIMEN_WORDS) core = core.replace(pattern, ' ').replace(/\s+/g, ' ').trim() || core;
  return core;
}
