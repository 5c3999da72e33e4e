import { isDayUrine, readLabName, specimenOf, type Specimen } from '../../../src-shared/medical/lab-name.ts';
import { medicineNameForms } from '../../../src-shared/medical/medicine-name.ts';
import { foldedForms, foldTerm, removeSpaces, sortedWords } from '../../../src-shared/medical/name-fold.ts';
import { ucumOf } from '../../../src-shared/medical/ucum-code.ts';
import type { Steps } from '../../platform/kernel/in-slices.ts';
import type { EntryOf, KnowledgeEntry, KnowledgeKind } from './entry.ts';

/** Sides and stages, which don't change the diagnosis. */
const SIDE = new RegExp(
  [
    String.raw`\b(?:rechts|links|beidseits|beidseitig|bds|re|li|right|left|bilateral|bilaterale?|droite?|gauche|`,
    String.raw`destr[ao]|sinistr[ao]|dx|sx|unspecified|nnb|nos|n n bez|nicht naeher bezeichnet|sans precision|`,
    String.raw`non specificat[ao])\b`,
  ].join(''),
  'gu',
);

/** A match of the printed name, or only of its folded form. */
export interface Match<Entry> {
  entry: Entry;
  by: 'alias' | 'folded';
}

export interface Index<Entry> {
  /** The entry with the code. If several share it, the one with the name, otherwise the one that covers all of them. */
  byCode(code: string, printed?: string): Entry | null;
  /** Whether several entries share the code, so that two documents with it may mean different things. */
  isShared(code: string): boolean;
  /** The only entry with the name; null if there is none, or if several have it and the unit is not decisive. */
  match(printed: string, sample?: string | null, unit?: string | null): Match<Entry> | null;
  /** All entries with the name, including ambiguous ones; the most likely first. */
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

/** Number of entries indexed between two pauses, which takes a few milliseconds. */
const ENTRIES_PER_SLICE = 50;

type Claims<Entry> = Map<string, Claim<Entry>[]>;

interface Tables<Entry> {
  kind: KnowledgeKind;
  codes: Map<string, Entry>;
  sharedCodes: Set<string>;
  printedNames: Claims<Entry>;
  foldedNames: Claims<Entry>;
  /** Entries keyed by the sorted words of the name. */
  wordSets: Claims<Entry>;
}

/** Builds the lookup tables for the entries of one kind, with pauses. */
export function* indexing<Kind extends KnowledgeKind>(
  kind: Kind,
  entries: readonly EntryOf[Kind][],
): Steps<Index<EntryOf[Kind]>> {
  const tables: Tables<EntryOf[Kind]> = {
    kind,
    codes: new Map(),
    sharedCodes: new Set(),
    printedNames: new Map(),
    foldedNames: new Map(),
    wordSets: new Map(),
  };
  for (const [position, entry] of entries.entries()) {
    if (position % ENTRIES_PER_SLICE === ENTRIES_PER_SLICE - 1) yield;
    addEntry(tables, entry);
  }
  addOtherCodes(tables, entries);
  if (kind === 'medications') addLatinNames(entries, tables.foldedNames);
  return {
    byCode: (code, printed) => entryByCode(tables, code, printed),
    isShared: (code) => isSharedCode(tables, code),
    match: (printed, sample, unit) => matchName(tables, printed, sample, unit),
    candidates: (printed, sample) => findClaims(tables, printed, sample).found.map(({ entry }) => entry),
  };
}

function addEntry<Entry extends KnowledgeEntry>(tables: Tables<Entry>, entry: Entry): void {
  const { kind, codes, sharedCodes, printedNames, foldedNames, wordSets } = tables;
  if (entry.sharesCode) sharedCodes.add(codeKey(kind, entry.code));
  else codes.set(codeKey(kind, entry.code), entry);
  for (const { alias, ambiguous } of entry.aliases)
    for (const space of spacesOfAlias(entry, alias)) {
      addClaim(printedNames, space + alias, entry, ambiguous);
      for (const form of space === DAY ? readLabName(alias).forms : foldedForms(alias)) {
        addClaim(foldedNames, space + removeSpaces(form), entry, ambiguous);
        const words = sortedWords(alias, form);
        if (words !== null) addClaim(wordSets, space + words, entry, ambiguous);
      }
    }
}

function addClaim<Entry>(claims: Claims<Entry>, key: string, entry: Entry, ambiguous: boolean): void {
  const existing = claims.get(key);
  if (!existing) claims.set(key, [{ entry, ambiguous }]);
  else if (!existing.some((claim) => claim.entry === entry)) existing.push({ entry, ambiguous });
}

/** Secondary codes never replace the main code of another entry. */
function addOtherCodes<Entry extends KnowledgeEntry>({ kind, codes }: Tables<Entry>, entries: readonly Entry[]): void {
  for (const entry of entries)
    for (const code of entry.otherCodes) if (!codes.has(codeKey(kind, code))) codes.set(codeKey(kind, code), entry);
}

function entryByCode<Entry extends KnowledgeEntry>(
  tables: Tables<Entry>,
  code: string,
  printed: string | undefined,
): Entry | null {
  const forms = writtenForms(tables.kind, code);
  const named = printed === undefined ? undefined : matchName(tables, printed)?.entry;
  if (named && forms.includes(named.code)) return named;
  return forms.map((form) => tables.codes.get(form)).find((entry) => entry !== undefined) ?? null;
}

const isSharedCode = <Entry>({ kind, codes, sharedCodes }: Tables<Entry>, code: string): boolean =>
  writtenForms(kind, code).some(
    (form) => sharedCodes.has(form) || (kind === 'diagnoses' && OTHER_SPECIFIED.test(form) && !codes.has(form)),
  );

function matchName<Entry extends KnowledgeEntry>(
  tables: Tables<Entry>,
  printed: string,
  sample?: string | null,
  unit?: string | null,
): Match<Entry> | null {
  const { found, by } = findClaims(tables, printed, sample, unit);
  const scale = unit?.trim() ? scaleOf(ucumOf(unit) ?? unit) : 'words';
  const matching =
    found.length > 1 && unit !== undefined ? found.filter(({ entry }) => scaleOf(unitOf(entry)) === scale) : found;
  const [first, ...others] = matching;
  return first && others.length === 0 && (found.length > 1 || !first.ambiguous) ? { entry: first.entry, by } : null;
}

function findClaims<Entry>(
  tables: Tables<Entry>,
  printed: string,
  sample: string | null | undefined,
  unit?: string | null,
): Found<Entry> {
  const { kind } = tables;
  const trimmed = printed.trim();
  const { forms, specimen } = formsOf(kind, trimmed);
  const sampled = specimenOf(sample);
  const spaces = spacesOf(kind, specimen ?? sampled);
  // The blood in `occult blood` and `white blood cells` is not a sample.
  const spacesOfWhole =
    sampled === null ? [...spaces, ...spacesOf(kind, null)] : [...spacesOf(kind, sampled), ...spaces];
  const inAll = () => findInSpaces(tables, trimmed, forms, spaces, new Set(spacesOfWhole));
  const inDay = () => findInSpaces(tables, trimmed, forms, [DAY], new Set([DAY]));
  const perDay = unit ? isPerDay(ucumOf(unit)) : null;
  const isDay =
    kind === 'lab_tests' &&
    (specimen ?? sampled ?? 'urine') === 'urine' &&
    (perDay === true || isDayUrine(trimmed) || isDayUrine(sample));
  const find = () => {
    if (!isDay) return inAll();
    if (perDay === true) return inDay();
    return perDay === false ? (inAll() ?? inDay()) : (inDay() ?? inAll());
  };
  return find() ?? { found: [], by: 'folded' };
}

/** Searches `spacesOfWhole` for the printed name and its whole form, and `spaces` for its other forms. */
function findInSpaces<Entry>(
  { printedNames, foldedNames, wordSets }: Tables<Entry>,
  printed: string,
  forms: readonly string[],
  spaces: readonly string[],
  spacesOfWhole: ReadonlySet<string>,
): Found<Entry> | null {
  for (const space of spacesOfWhole) {
    const found = printedNames.get(space + printed);
    if (found) return { found, by: 'alias' };
  }
  for (const [position, form] of forms.entries())
    for (const space of position === 0 ? spacesOfWhole : spaces) {
      const words = sortedWords(printed, form);
      const found =
        foldedNames.get(space + removeSpaces(form)) ?? (words === null ? undefined : wordSets.get(space + words));
      if (found) return { found, by: 'folded' };
    }
  return null;
}

/**
 * Distinguishes tests of the same name: results in words, cells in percent or per volume, the French `ACE` as a marker
 * (`ug/L`) or an enzyme (`U/L`).
 */
const scaleOf = (unit: string | null): 'words' | 'share' | 'activity' | 'amount' => {
  if (unit === null) return 'words';
  if (unit === '%' || unit === '[ppth]') return 'share';
  return /^[munpk]?(?:U|kat)(?:\/|$)/.test(unit) ? 'activity' : 'amount';
};
const isPerDay = (unit: string | null | undefined): boolean => /\/(?:\(24\.h\)|24\.?h|d)$/.test(unit ?? '');
const unitOf = (entry: KnowledgeEntry): string | null => (entry.kind === 'lab_tests' ? entry.unit : null);

/** Prefix of the keys of 24-hour urine tests. */
const DAY = 'urine 24h:';

/**
 * Tests of samples other than blood have separate name spaces, so sodium in urine is not confused with sodium in blood.
 * A name has to state 24-hour urine only if there is another test in urine.
 */
function spacesOfAlias(entry: KnowledgeEntry, alias: string): string[] {
  if (entry.kind !== 'lab_tests' || entry.specimen === 'blood') return [''];
  if (!isPerDay(entry.unit)) return [`${entry.specimen}:`];
  return isDayUrine(alias) ? [DAY] : [DAY, 'urine:'];
}

/** The name spaces to search: that of the known sample, or blood first and then all others. */
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
 * Spellings under which the code may be in a table. National editions add a fifth character to ICD-10 (`E11.90`), or a
 * fourth where WHO has three (`I10.00`); a category alone means its unspecified disease (`J45`: `J45.9`).
 */
function writtenForms(kind: KnowledgeKind, code: string): string[] {
  const key = codeKey(kind, code);
  if (kind !== 'diagnoses') return [key];
  const dotted = key.includes('.') || key.length < 4 ? key : `${key.slice(0, 3)}.${key.slice(3)}`;
  return dotted.length === 3 ? [dotted, `${dotted}.9`] : [dotted, dotted.slice(0, 5), dotted.slice(0, 3)];
}
/** In ICD-10, `.8` means "other specified": unrelated diseases of a category that have no code of their own. */
const OTHER_SPECIFIED = /^[A-Z]\d\d\.8/;

/**
 * Adds Latin names, which Swiss documents print (`pantoprazolum`, `metformini hydrochloridum`), unless another entry
 * uses the form.
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
