import { atOnce, inSlices, type Steps } from '../../platform/kernel/in-slices.ts';
import { KNOWLEDGE_KINDS, type EntryOf, type KnowledgeEntry, type KnowledgeKind, type LabTestEntry } from './entry.ts';
import { loadEditions, loadEntries, loadUnitRules, type UnitRule } from './load.ts';
import { indexing, type Index, type Match } from './lookup.ts';

export { KNOWLEDGE_KINDS } from './entry.ts';
export type {
  DiagnosisEntry,
  EntryOf,
  KnowledgeAlias,
  KnowledgeEntry,
  KnowledgeKind,
  KnowledgeLanguage,
  LabTestEntry,
  MedicationEntry,
  SpecialtyEntry,
} from './entry.ts';
export type { UnitRule } from './load.ts';
export type { Match } from './lookup.ts';

/** Data needed to compare results of one test in different units. */
export interface UnitFacts {
  /** UCUM code of the default display unit of a series; null for results in words. */
  preferredUnit: string | null;
  /** Grams per mole (`molecularWeight` of a UCUM conversion between mass and amount of substance). */
  molarMass: number | null;
  /** Charge number of the ion, for mEq and mval. */
  charge: number | null;
  /** Conversions that don't follow from a molar mass, in UCUM codes; they apply in both directions. */
  rules: readonly UnitRule[];
}

export interface Knowledge {
  /** Entries of a kind; read from disk on the first call. */
  entries<Kind extends KnowledgeKind>(kind: Kind): readonly EntryOf[Kind][];
  /**
   * The entry of a LOINC, ICD-10 (also with the fifth character of national editions), ATC or specialty code. If
   * several share an ICD-10 code, it is the one with the printed name, otherwise the one that covers all of them, or
   * null.
   */
  byCode<Kind extends KnowledgeKind>(kind: Kind, code: string, printed?: string): EntryOf[Kind] | null;
  /**
   * Whether several things share the code, so that two documents with it may mean different things; true for every
   * unknown ICD-10 code with `.8`.
   */
  isShared(kind: KnowledgeKind, code: string): boolean;
  /** The entry of a `canonical_code`. */
  byCanonicalCode<Kind extends KnowledgeKind>(kind: Kind, canonicalCode: string): EntryOf[Kind] | null;
  /**
   * The only entry with a printed name, compared exactly or folded (case, accents, punctuation; sample and method of
   * tests; dose, form and manufacturer of medicines); null if there is none or more than one. `sample` is the
   * laboratory's word for the sample. `unit` is the printed unit, which distinguishes cells in percent from cells per
   * volume.
   */
  match<Kind extends KnowledgeKind>(
    kind: Kind,
    printed: string,
    sample?: string | null,
    unit?: string | null,
  ): Match<EntryOf[Kind]> | null;
  /** All entries with a printed name, for a user to choose from. */
  candidates<Kind extends KnowledgeKind>(kind: Kind, printed: string, sample?: string | null): EntryOf[Kind][];
  /** Units of a test, by LOINC code; null for an unknown code. */
  unitsOf(loinc: string): UnitFacts | null;
  /** Reads everything now, in slices, so that the first lookup does not block. */
  prepare(): Promise<void>;
  /** The included edition of a part; later editions sort after earlier ones. */
  edition(kind: KnowledgeKind): string;
}

/** The knowledge base that is included in the program. Files are read on first use. */
export function createKnowledge(): Knowledge {
  const parts: { [Kind in KnowledgeKind]?: Part<Kind> } = {};
  function* making<Kind extends KnowledgeKind>(kind: Kind): Steps<Part<Kind>> {
    const entries = loadEntries(kind);
    yield;
    return {
      entries,
      index: yield* indexing(kind, entries),
      canonical: new Map(entries.map((entry) => [entry.canonicalCode, entry])),
    };
  }
  const keep = <Kind extends KnowledgeKind>(kind: Kind, made: Part<Kind>): Part<Kind> =>
    ((parts as Record<KnowledgeKind, unknown>)[kind] ??= made) as Part<Kind>;
  const part = <Kind extends KnowledgeKind>(kind: Kind): Part<Kind> =>
    (parts[kind] as Part<Kind> | undefined) ?? keep(kind, atOnce(making(kind)));
  let rules: UnitRule[] | undefined;
  let editions: ReturnType<typeof loadEditions> | undefined;
  return {
    entries: (kind) => part(kind).entries,
    byCode: (kind, code, printed) => part(kind).index.byCode(code, printed),
    isShared: (kind, code) => part(kind).index.isShared(code),
    byCanonicalCode: (kind, canonicalCode) => part(kind).canonical.get(canonicalCode) ?? null,
    match: (kind, printed, sample, unit) => part(kind).index.match(printed, sample, unit),
    candidates: (kind, printed, sample) => part(kind).index.candidates(printed, sample),
    unitsOf(loinc) {
      const test: LabTestEntry | null = part('lab_tests').index.byCode(loinc);
      if (!test) return null;
      rules ??= loadUnitRules();
      return {
        preferredUnit: test.unit,
        molarMass: test.molarMass,
        charge: test.charge,
        rules: rules.filter(({ code }) => code === test.code),
      };
    },
    async prepare() {
      for (const kind of KNOWLEDGE_KINDS) if (!parts[kind]) keep(kind, await inSlices(making(kind)));
    },
    edition: (kind) => (editions ??= loadEditions()).parts[kind].edition,
  };
}

interface Part<Kind extends KnowledgeKind> {
  entries: EntryOf[Kind][];
  index: Index<EntryOf[Kind]>;
  canonical: Map<string, KnowledgeEntry & EntryOf[Kind]>;
}
