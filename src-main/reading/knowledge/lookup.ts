import { isDayUrine, readLabName, specimenOf, type Specimen } from '../../../src-shared/medical/lab-name.ts';
import { medicineNameForms } from '../../../src-shared/medical/medicine-name.ts';
import { foldedForms, foldTerm, removeSpaces, sortedWords } from '../../../src-shared/medical/name-fold.ts';
import { ucumOf } from '../../../src-shared/medical/ucum-code.ts';
import type { Steps } from '../../platform/kernel/in-slices.ts';
import type { EntryOf, KnowledgeEntry, KnowledgeKind } from './entry.ts';

/** Sides and stages that do not make another diagnosis. */
const SIDE = new RegExp(
  [
    String.raw`\b(?:rechts|links|beidseits|beidseitig|bds|re|li|right|left|bilateral|bilaterale?|droite?|gauche|`,
    String.raw`destr[ao]|sinistr[ao]|dx|sx|unspecified|nnb|nos|n n bez|nicht naeher bezeichnet|sans precision|`,
    String.raw`non specificat[ao])\b`,
  ].join(''),
  'gu',
);

/** How a name was found: as it is printed, or only after folding. */
export interface Match<Entry> {
  entry: Entry;
  by: 'alias' | 'folded';
}

export interface Index<Entry> {
  /**
   * The entry that the code means; of several that have it, the one that goes by the name, then the one that means
   * all of them.
   */
  byCode(code: string, printed?: string): Entry | null;
  /** Whether several things have the code, so that two papers that print it need not mean the same. */
  isShared(code: string): boolean;
  /**
   * The one entry that goes by the name; null when there is none or when several do and the printed unit does not
   * tell them apart.
   */
  match(printed: string, sample?: string | null, unit?: string | null): Match<Entry> | null;
  /** All entries that go by the name, also when it is ambiguous; the most likely first. */
  candidates(printed: string, sample?: string | null): Entry[];
}

interface Claim<Entry> {
  entry: Entry;
  ambiguous: boolean;
}
interface Found<Entry> {
  found: Claim<Entry>[];
  by: 'alias' | 'folded';
}

/** Entries that are taken in between two pauses: some milliseconds. */
const SLICE = 50;

/** Makes the look-ups over the entries of one kind, with pauses. */
export function* indexing<Kind extends KnowledgeKind>(
  kind: Kind,
  entries: readonly EntryOf[Kind][],
): Steps<Index<EntryOf[Kind]>> {
  type Entry = EntryOf[Kind];
  const codes = new Map<string, Entry>();
  const shared = new Set<string>();
  const printedNames = new Map<string, Claim<Entry>[]>();
  const folded = new Map<string, Claim<Entry>[]>();
  const shuffled = new Map<string, Claim<Entry>[]>();
  const claim = (map: Map<string, Claim<Entry>[]>, key: string, entry: Entry, ambiguous: boolean): void => {
    const claims = map.get(key);
    if (!claims) map.set(key, [{ entry, ambiguous }]);
    else if (!claims.some((known) => known.entry === entry)) claims.push({ entry, ambiguous });
  };
  for (const [position, entry] of entries.entries()) {
    if (position % SLICE === SLICE - 1) yield;
    if (entry.sharesCode) shared.add(codeKey(kind, entry.code));
    else codes.set(codeKey(kind, entry.code), entry);
    for (const { alias, ambiguous } of entry.aliases)
      for (const space of spacesOfAlias(entry, alias)) {
        claim(printedNames, space + alias, entry, ambiguous);
        for (const form of space === DAY ? readLabName(alias).forms : foldedForms(alias)) {
          claim(folded, space + removeSpaces(form), entry, ambiguous);
          const words = sortedWords(alias, form);
          if (words !== null) claim(shuffled, space + words, entry, ambiguous);
        }
      }
  }
  for (const entry of entries)
    for (const code of entry.otherCodes) if (!codes.has(codeKey(kind, code))) codes.set(codeKey(kind, code), entry);
  if (kind === 'medications') addLatinNames(entries, folded);

  const lookIn = (
    printed: string,
    forms: readonly string[],
    spaces: readonly string[],
    spacesOfWhole: ReadonlySet<string>,
  ): Found<Entry> | null => {
    for (const space of spacesOfWhole) {
      const found = printedNames.get(space + printed);
      if (found) return { found, by: 'alias' };
    }
    for (const [position, form] of forms.entries())
      for (const space of position === 0 ? spacesOfWhole : spaces) {
        const words = sortedWords(printed, form);
        const found =
          folded.get(space + removeSpaces(form)) ?? (words === null ? undefined : shuffled.get(space + words));
        if (found) return { found, by: 'folded' };
      }
    return null;
  };
  const claims = (printed: string, sample: string | null | undefined, unit?: string | null): Found<Entry> => {
    const trimmed = printed.trim();
    const { forms, specimen } = formsOf(kind, trimmed);
    const sampled = specimenOf(sample);
    const spaces = spacesOf(kind, specimen ?? sampled);
    // The blood in `occult blood` and `white blood cells` is not a sample.
    const everywhere = () =>
      lookIn(
        trimmed,
        forms,
        spaces,
        new Set(sampled === null ? [...spaces, ...spacesOf(kind, null)] : [...spacesOf(kind, sampled), ...spaces]),
      );
    const inDay = () => lookIn(trimmed, forms, [DAY], new Set([DAY]));
    const perDay = unit ? isPerDay(ucumOf(unit)) : null;
    const isDay =
      kind === 'lab_tests' &&
      (specimen ?? sampled ?? 'urine') === 'urine' &&
      (perDay === true || isDayUrine(trimmed) || isDayUrine(sample));
    const find = () => {
      if (!isDay) return everywhere();
      if (perDay === true) return inDay();
      return perDay === false ? (everywhere() ?? inDay()) : (inDay() ?? everywhere());
    };
    return find() ?? { found: [], by: 'folded' };
  };
  const match = (printed: string, sample?: string | null, unit?: string | null): Match<Entry> | null => {
    const { found, by } = claims(printed, sample, unit);
    const fitting =
      found.length > 1 && unit !== undefined
        ? found.filter(
            ({ entry }) => scaleOf(unitOf(entry)) === (unit?.trim() ? scaleOf(ucumOf(unit) ?? unit) : 'words'),
          )
        : found;
    const [first, ...others] = fitting;
    return first && others.length === 0 && (found.length > 1 || !first.ambiguous) ? { entry: first.entry, by } : null;
  };
  return {
    byCode(code, printed) {
      const forms = writtenForms(kind, code);
      const named = printed === undefined ? undefined : match(printed)?.entry;
      return named && forms.includes(named.code)
        ? named
        : (forms.map((form) => codes.get(form)).find((entry) => entry !== undefined) ?? null);
    },
    isShared: (code) =>
      writtenForms(kind, code).some(
        (form) => shared.has(form) || (kind === 'diagnoses' && OTHER_SPECIFIED.test(form) && !codes.has(form)),
      ),
    match,
    candidates: (printed, sample) => claims(printed, sample).found.map(({ entry }) => entry),
  };
}

/**
 * What tells apart tests of one name: results in words, cells in per cent or per volume, the French `ACE` as a marker
 * (`ug/L`) or an enzyme (`U/L`).
 */
const scaleOf = (unit: string | null): 'words' | 'share' | 'activity' | 'amount' => {
  if (unit === null) return 'words';
  if (unit === '%' || unit === '[ppth]') return 'share';
  return /^[munpk]?(?:U|kat)(?:\/|$)/.test(unit) ? 'activity' : 'amount';
};
const isPerDay = (unit: string | null | undefined): boolean => /\/(?:\(24\.h\)|24\.?h|d)$/.test(unit ?? '');
const unitOf = (entry: KnowledgeEntry): string | null => (entry.kind === 'lab_tests' ? entry.unit : null);

/** Keys of tests of 24-hour urine. */
const DAY = 'urine 24h:';

/**
 * Tests of other samples than blood have name spaces of their own, so that sodium in urine is not sodium. A day's
 * urine needs to be named only where there is another test in urine.
 */
function spacesOfAlias(entry: KnowledgeEntry, alias: string): string[] {
  if (entry.kind !== 'lab_tests' || entry.specimen === 'blood') return [''];
  if (!isPerDay(entry.unit)) return [`${entry.specimen}:`];
  return isDayUrine(alias) ? [DAY] : [DAY, 'urine:'];
}

/**
 * Where to look: in the space of the known sample; without one in blood first, then where only another sample has the
 * test.
 */
function spacesOf(kind: KnowledgeKind, specimen: Specimen | null): string[] {
  if (kind !== 'lab_tests') return [''];
  if (specimen === null) return ['', 'urine:', 'csf:', 'stool:', 'other:'];
  return specimen === 'blood' ? [''] : [`${specimen}:`];
}

function formsOf(kind: KnowledgeKind, printed: string): { forms: string[]; specimen: Specimen | null } {
  if (kind === 'lab_tests') return readLabName(printed);
  if (kind === 'medications') return { forms: medicineNameForms(printed), specimen: null };
  const whole = foldTerm(printed);
  const withoutBrackets = foldTerm(printed.replace(/[([][^)\]]*[)\]]/g, ' '));
  const sideless = withoutBrackets.replace(SIDE, ' ').replace(/\s+/g, ' ').trim();
  return {
    forms: [...new Set([whole, withoutBrackets, kind === 'diagnoses' ? sideless : ''])].filter((form) => form !== ''),
    specimen: null,
  };
}

const codeKey = (kind: KnowledgeKind, code: string): string =>
  kind === 'specialties'
    ? code.trim().toLowerCase()
    : code
        .trim()
        .toUpperCase()
        .replace(/[*†!+]$/, '')
        .replace(',', '.');

/**
 * The code as it may be in a table. National editions add a fifth character to ICD-10 (`E11.90`), or a fourth where WHO has three
 * (`I10.00`); a category alone means its unspecified disease (`J45`: `J45.9`).
 */
function writtenForms(kind: KnowledgeKind, code: string): string[] {
  const key = codeKey(kind, code);
  if (kind !== 'diagnoses') return [key];
  const dotted = key.includes('.') || key.length < 4 ? key : `${key.slice(0, 3)}.${key.slice(3)}`;
  return dotted.length === 3 ? [dotted, `${dotted}.9`] : [dotted, dotted.slice(0, 5), dotted.slice(0, 3)];
}
/** `.8` is the rest of a category: things that have nothing in common but that no other code means them. */
const OTHER_SPECIFIED = /^[A-Z]\d\d\.8/;

/**
 * Swiss papers print Latin names: `pantoprazolum`, `metformini hydrochloridum`. Only where nobody else goes by the
 * form.
 */
function addLatinNames<Entry extends KnowledgeEntry>(
  entries: readonly Entry[],
  folded: Map<string, Claim<Entry>[]>,
): void {
  for (const entry of entries) {
    const german = foldTerm(entry.names.de);
    if (german.includes(' ') || german.length < 5) continue;
    const stem = german.replace(/(?:um|e|a)$/, '');
    for (const form of [`${stem}um`, `${stem}i`])
      if (!folded.has(form)) folded.set(form, [{ entry, ambiguous: false }]);
  }
}
