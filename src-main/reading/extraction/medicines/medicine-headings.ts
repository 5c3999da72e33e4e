import { findStrength } from '../../../../src-shared/medical/dose.ts';
import { loadWords } from '../../knowledge/words.ts';
import { fold } from '../fold.ts';
import { boxAround } from '../layout/geometry.ts';
import { partOf } from '../layout/line-parts.ts';
import type { Line, Segment } from '../layout/lines.ts';

const WORDS = loadWords('medicine-headings', ['list', 'end']);
const LIST = WORDS.list.map(fold).sort((a, b) => b.length - a.length);
const END = WORDS.end.map(fold);
/** Letters of a heading beside those that make it one: "Medikation bei Austritt (ab 3. Mai)". */
const MAX_HEADING_REST = 25;
const SIGN = /^(?:℞|r\/)\s*$/iu;

/** "Current Outpatient Medications", "Neu verordnete Medikamente"; not "No medications". */
const OTHER_LIST = new RegExp(
  [
    String.raw`^(?!(?:no|not|keine?|aucun|pas|nessun|allerg)\p{L}* )(?:\p{L}+ ){1,3}(?:medications?|medicines|meds|medikation|`,
    String.raw`medikamente|arzneimittel|medicaments|traitements|farmaci|medicinali)(?: list| liste)?$`,
  ].join(''),
  'u',
);

const headingIn = (text: string): string | undefined => {
  const folded = fold(text);
  return OTHER_LIST.exec(folded)?.[0] ?? LIST.find((heading) => folded === heading || folded.startsWith(`${heading} `));
};

/** Whether a text begins a list of medicines. */
export function isListHeading(text: string): boolean {
  const printed = text.replace(/[:\s]+$/, '');
  if (SIGN.test(printed)) return true;
  const heading = headingIn(printed);
  return (
    heading !== undefined &&
    !printed.includes('.', 4) &&
    findStrength(printed) === null &&
    fold(printed).length - heading.length <= MAX_HEADING_REST
  );
}

/** "Medikation bei Aufnahme", "Prior to admission medications": what was taken before a stay in hospital. */
export const isBeforeStay = (text: string): boolean => BEFORE_STAY.test(text);
const BEFORE_STAY = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?:bei|vor|zum zeitpunkt der) (?:der )?(?:stationären )?(?:aufnahme|eintritt|einweisung)|`,
    String.raw`vormedikation|(?:aufnahme|eintritts|einweisungs)medikation|(?:on|at|prior to|before|pre-?) ?admission|`,
    String.raw`à l['’](?:admission|entrée)|d['’]entrée|avant (?:l['’])?hospitalisation|all['’]ingresso|`,
    String.raw`prima del ricovero)`,
    String.raw`(?!\p{L})`,
  ].join(''),
  'iu',
);

/** Whether a text ends a list of medicines. */
export function endsList(text: string): boolean {
  const folded = fold(text);
  return END.some((word) => folded.startsWith(word));
}

/**
 * The rest of a line after a heading in its own column or before a colon: "Therapie    Ramipril 5 mg", "Medication:
 * ramipril 5 mg". Null if there is no heading or nothing with a strength after it.
 */
export function afterHeading(line: Line): Line | null {
  const [first, ...others] = line.segments;
  if (!first) return null;
  if (others.length > 0 && isListHeading(first.text) && findStrength(first.text) === null) return dosed(line, others);
  const colon = first.words.findIndex(({ text }) => text.endsWith(':'));
  const label = first.words
    .slice(0, colon + 1)
    .map(({ text }) => text)
    .join(' ');
  if (colon < 0 || colon === first.words.length - 1 || headingIn(label) !== fold(label)) return null;
  const words = first.words.slice(colon + 1);
  const rest = { text: words.map(({ text }) => text).join(' '), words, bbox: boxAround(words) };
  return dosed(line, [rest, ...others]);
}

function dosed(line: Line, segments: Segment[]): Line | null {
  const rest = partOf(line, segments);
  return findStrength(rest.text) ? rest : null;
}
