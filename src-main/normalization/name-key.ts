import { foldName } from '../../src-shared/medical/name-fold.ts';
import type { NameKind } from '../database/schema/names.ts';

export { foldName } from '../../src-shared/medical/name-fold.ts';

/** Titles and degrees that do not make another person, folded. */
const TITLES = new Set(['dr', 'dres', 'prof', 'pd', 'priv', 'doz', 'med', 'dent', 'univ', 'hc', 'habil', 'mult', 'dott', 'dottssa', 'dottoressa', 'dottore', 'ssa', 'docteur', 'pr', 'professeur', 'professore', 'professor', 'doctor', 'md', 'phd', 'mbbs', 'frcp', 'frcs', 'mrcp', 'facp', 'dipl', 'arzt', 'aerztin', 'arztin', 'herr', 'frau', 'mr', 'mrs', 'ms', 'm', 'mme', 'fmh', 'msc', 'bsc', 'mba']);
/** Legal forms that do not make another facility. */
const LEGAL_FORMS = new Set(['ag', 'gmbh', 'sa', 'sarl', 'srl', 'spa', 'ltd', 'llc', 'inc', 'kg', 'co', 'plc']);

/** The form under which an alias is found. Doctors: titles and the order of names do not matter; facilities: legal forms do not. */
export function aliasKey(kind: NameKind, name: string): string {
  const words = foldName(name).split(' ').filter((word) => word !== '');
  if (kind === 'doctors') {
    const own = words.filter((word) => !TITLES.has(word)).sort();
    return (own.length ? own : words).join(' ');
  }
  if (kind === 'facilities') {
    const own = words.filter((word) => !LEGAL_FORMS.has(word));
    return (own.length ? own : words).join(' ');
  }
  return words.join(' ');
}

/** Splits the printed titles off a doctor's name: `PD Dr. med. Jana Weidmann` → `PD Dr. med.` and `Jana Weidmann`. */
export function splitTitle(printed: string): { title: string | null; name: string } {
  const words = printed.trim().split(/\s+/);
  let at = 0;
  while (at < words.length - 1 && foldName(words[at] ?? '').split(' ').every((part) => TITLES.has(part) || part === '')) at += 1;
  return { title: at ? words.slice(0, at).join(' ') : null, name: words.slice(at).join(' ').replace(/,.*$/, '') || printed.trim() };
}
