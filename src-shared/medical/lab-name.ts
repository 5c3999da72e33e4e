import { foldTerm } from './name-fold.ts';

/** What was sampled, as far as it makes another test of the same name. Serum, plasma and whole blood count as one. */
export type Specimen = 'blood' | 'urine' | 'csf' | 'stool' | 'other';

/** Letters that laboratories print before a name: `S-Kreatinin`, `U-Natrium`, `Lq-Eiweiss`. */
const PREFIX = /^(s|se|p|pl|b|vb|ab|kb|cb|fb|e|u|ur|su|du|du24|u24|24hu|lq|csf|st|stu)\s?[-–:/_]\s?(?=\p{L})/iu;
const PREFIXES: Readonly<Record<string, Specimen>> = { u: 'urine', ur: 'urine', su: 'urine', du: 'urine', du24: 'urine', u24: 'urine', '24hu': 'urine', lq: 'csf', csf: 'csf', st: 'stool', stu: 'stool' };

const SPECIMEN_WORDS: readonly (readonly [Specimen, RegExp])[] = [
  ['urine', /\b(?:in |im |i |nelle? |dans les? |de l |dans l )?(?:24 ?h ?)?(?:urine?s?|urinaires?|urinari[oae]|harn|spot ?urin|spontanurin|morgenurin|mittelstrahlurin|sammelurin|urinstatus|urina)\b|\bi ?u\b/gu],
  ['csf', /\b(?:in |im |i |nel |dans le )?(?:csf|liquor|lcr|cerebrospinal fluid|liquor cerebrospinalis|liquide cephalo rachidien|cephalorachidien)\b/gu],
  ['stool', /\b(?:in |im |i |nelle |dans les )?(?:stool|stuhl|selles|feci|faeces|feces|faecal|fecale?|fecal[ei])\b/gu],
  ['blood', /\b(?:in |im |i |nel |dans le |of )?(?:serum|plasma|blut|vollblut|blood|whole blood|seriques?|sanguins?|sanguines?|ematic[aoi]|plasmatique|sierico|sierica|plasmatico|plasmatica|siero|sangue|sang|kapillarblut|edta blut|citratplasma|heparinplasma)\b|\bi ?[spb]\b/gu],
];
/** Words about the method that make no other test. */
const METHOD = /\b(?:enzymatisch|enzym|enzymatic|photometrisch|berechnet|kalkuliert|calculated|calc|calcule|calcolato|quantitativ|quantitative|quant|quantitatif|turbidimetrisch|nephelometrisch|immunologisch|ifcc|37 c|37 ?grad|messung|bestimmung|dosage|dosaggio|venoes|venous|level|taux de|konzentration|concentration|maschinell|automatisch|screening|screen|suchtest|basal|estimation)\b/gu;

/**
 * The sample that a laboratory's own words name (`Serum`, `Spontanurin`, `LCR`), or null.
 */
export function specimenOf(words: string | null | undefined): Specimen | null {
  const folded = foldTerm(words ?? '');
  if (folded === '') return null;
  const letter = PREFIXES[folded];
  if (letter) return letter;
  return SPECIMEN_WORDS.find(([, pattern]) => { pattern.lastIndex = 0; return pattern.test(folded); })?.[0] ?? null;
}

export interface LabName {
  /** Folded forms, the most faithful first; none is empty. */
  forms: string[];
  /** What the name itself says about the sample. */
  specimen: Specimen | null;
}

/**
 * Folded forms under which a printed test may be known: as it stands, without sample and method, without what stands in brackets, and
 * the brackets' content. `S-Kreatinin (enzym.)` → `s kreatinin enzym`, `kreatinin enzym`, `kreatinin`, …
 */
export function readLabName(printed: string): LabName {
  const text = printed.trim();
  const prefix = PREFIX.exec(text);
  const bare = prefix ? text.slice(prefix[0].length) : text;
  let specimen: Specimen | null = prefix ? PREFIXES[(prefix[1] ?? '').toLowerCase()] ?? 'blood' : null;
  const folded = foldTerm(bare);
  let core = folded;
  for (const [kind, pattern] of SPECIMEN_WORDS) {
    const without = core.replace(pattern, ' ').replace(/\s+/g, ' ').trim();
    if (without === core || without === '') continue;
    core = without;
    specimen ??= kind;
  }
  const brackets = [...bare.matchAll(/[([]([^)\]]{1,60})[)\]]/g)].map((match) => match[1] ?? '');
  const withoutBrackets = foldTerm(bare.replace(/[([][^)\]]*[)\]]/g, ' '));
  const forms = [foldTerm(text), folded, core, strip(core), strip(withoutBrackets), strip(stripSpecimen(withoutBrackets)), ...brackets.map((inner) => foldTerm(inner))];
  return { forms: [...new Set(forms)].filter((form) => form !== ''), specimen };
}

/** One key for a printed test, for look-ups of stored aliases: without sample and method; other samples than blood stay in front (`urine natrium`). */
export function labNameKey(printed: string): string {
  const { specimen } = readLabName(printed);
  const text = printed.trim();
  const prefix = PREFIX.exec(text);
  const core = strip(stripSpecimen(foldTerm(prefix ? text.slice(prefix[0].length) : text))) || foldTerm(text);
  return specimen === null || specimen === 'blood' ? core : `${specimen} ${core}`;
}

const strip = (folded: string): string => folded.replace(METHOD, ' ').replace(/\s+/g, ' ').trim() || folded;

function stripSpecimen(folded: string): string {
  let core = folded;
  for (const [, pattern] of SPECIMEN_WORDS) core = core.replace(pattern, ' ').replace(/\s+/g, ' ').trim() || core;
  return core;
}
