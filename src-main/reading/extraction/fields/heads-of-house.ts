import { foldLetters } from '../fold.ts';
import type { Layout } from '../layout/layout.ts';
import type { Segment } from '../layout/lines.ts';

/** "Chefarzt Prof. Dr. …", "Prof. Dr. …, Direktor", or such an office in the line below, in the column of the name. */
export function leadsHouse(
  layout: Layout,
  index: number,
  { words, bbox }: Segment,
  { first, end }: { first: number; end: number },
): boolean {
  const under = layout.lines[index + 1]?.segments.find((one) => Math.abs(one.bbox[0] - bbox[0]) < 0.02);
  const beside = [
    ...words.slice(Math.max(0, first - WORDS_OF_OFFICE), first),
    ...words.slice(end, end + WORDS_OF_OFFICE),
  ];
  const office = beside.map(({ text }) => text).join(' ');
  if (IS_PRIMARY.test(words[first]?.text ?? '')) return true;
  return LEADS.test(foldLetters(office)) || (under !== undefined && LEADS_ALONE.test(foldLetters(under.text)));
}
/** "Prim. Univ.-Doz. Dr. …" */
const IS_PRIMARY = /^Prim(?:\.|ar(?:ius|ia)?$)/u;
const WORDS_OF_OFFICE = 5;
const LEADS = new RegExp(
  [
    String.raw`(?<!\p{L})(?:chefarzt|chefarztin|abteilungsleiter|klinikdirektor|direktor|arztlicher? (?:leiter|`,
    String.raw`direktor)|leiter|vorstand|primar|chef(?:fe)? de (?:service|clinique)|medecin[- ]chef|primario|direttore|`,
    String.raw`clinical director|head of|chief)`,
  ].join(''),
  'u',
);
const LEADS_ALONE = new RegExp(`^${LEADS.source}`, 'u');
