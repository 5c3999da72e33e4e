import { medicineNameForms } from '../../../src-shared/medical/medicine-name.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { atOnce, inSlices, type Steps } from '../../platform/kernel/in-slices.ts';
import {
  KNOWLEDGE_KINDS,
  type EntryOf,
  type Knowledge,
  type KnowledgeEntry,
  type KnowledgeLanguage,
} from '../../reading/knowledge/service.ts';
import { comparePeople, readDoctorName } from './doctor-name.ts';
import { readFacilityName } from './facility-name.ts';
import { compareSpellings } from './similarity.ts';
import { aliasKey, codeOf } from './name-key.ts';
import { CODE_COLUMN, isSeededKind } from './references.ts';
import type { AliasRow, NameRepository } from './repository.ts';

type SeededKind = keyof EntryOf;
interface Spelling {
  key: string;
  entry: KnowledgeEntry;
}
/** Entries whose spellings are folded between two pauses: some milliseconds. */
const SLICE = 25;

export interface ResolveOptions {
  /** A machine asks: also what is probably meant counts, and its decisions wait for review. */
  auto: boolean;
  /** The LOINC, ICD-10 or ATC code printed beside the name. */
  code?: string | null;
  /** The laboratory's word for what was sampled. */
  sample?: string | null;
  /** The unit printed with a result, null for none: `Neutrophils` in per cent and per litre are two tests. */
  unit?: string | null;
}

export interface EntryResolverDeps {
  repository: NameRepository;
  knowledge: Knowledge;
  language: () => string;
  now: () => string;
  /** Called in the transaction that gives an entry a fuller name. */
  notifyRenamed?: (kind: NameKind, id: number) => void;
}

/** How a name was found: `known` needs no look, `mapped` is a machine's decision. */
interface Found {
  id: number;
  by: 'known' | 'mapped';
}

export type EntryResolver = ReturnType<typeof createEntryResolver>;

/**
 * Finds the entry that a printed name means: by spelling, code, the knowledge base, and last by likeness. Part of the
 * caller's transaction.
 */
export function createEntryResolver({ repository, knowledge, language, now, notifyRenamed }: EntryResolverDeps) {
  const inLanguage = ({ names }: KnowledgeEntry): string => names[language() as KnowledgeLanguage] ?? names.en;
  const knownSpellings = new Map<SeededKind, Spelling[]>();
  function* listing(kind: SeededKind): Steps<Spelling[]> {
    const made: Spelling[] = [];
    for (const [position, entry] of knowledge.entries(kind).entries()) {
      if (position % SLICE === SLICE - 1) yield;
      for (const { alias, ambiguous } of entry.aliases)
        if (!ambiguous) made.push({ key: aliasKey(kind, alias, specimenOf(entry)), entry });
    }
    return made;
  }
  function spellingsOf(kind: SeededKind): Spelling[] {
    const known = knownSpellings.get(kind) ?? atOnce(listing(kind));
    knownSpellings.set(kind, known);
    return known;
  }

  /**
   * The row of an entry of the knowledge base, if it was sown. One that a person merged away is found under its
   * spellings.
   */
  const rowOf = (kind: SeededKind, entry: KnowledgeEntry): number | undefined =>
    repository.byCanonicalCode(kind, entry.canonicalCode)?.id ??
    (knowledge.isShared(kind, entry.code) ? null : repository.byPublicCode(kind, entry.code)) ??
    Object.values(entry.names)
      .map((name) => repository.byKey(kind, aliasKey(kind, name, specimenOf(entry)))?.entry_id)
      .find((id) => id !== undefined);

  /** The row of an entry of the knowledge base; made at its first use. */
  function sown(kind: SeededKind, entry: KnowledgeEntry): number {
    const column = CODE_COLUMN[kind];
    const code = column === undefined ? {} : { [column]: entry.code };
    const there = rowOf(kind, entry);
    if (there !== undefined) return there;
    const display = inLanguage(entry);
    const made = repository.insert(kind, {
      canonical_code: entry.canonicalCode,
      canonical_display: display,
      created_at: now(),
      seeded: 1,
      ...code,
      ...(entry.kind === 'lab_tests' && { category: entry.category, unit_preferred: entry.unit }),
    });
    repository.addAlias(kind, {
      entryId: made,
      alias: display,
      key: aliasKey(kind, display, specimenOf(entry)),
      language: language(),
      auto: false,
      now: now(),
    });
    return made;
  }

  function spelled(kind: NameKind, printed: string, sample: string | null): AliasRow | undefined {
    const key = aliasKey(kind, printed, sample);
    return key === '' ? undefined : repository.byKey(kind, key);
  }
  const bySpelling = (kind: NameKind, printed: string, sample: string | null): number | null =>
    spelled(kind, printed, sample)?.entry_id ??
    repository.byCanonicalCode(kind, codeOf(kind, printed, sample))?.id ??
    null;

  /** The test that only the unit tells apart; its name stays free of an entry, unless a person gave it one. */
  function byUnit(
    kind: NameKind,
    printed: string,
    sample: string | null,
    unit: string | null | undefined,
  ): number | null {
    if (kind !== 'lab_tests' || unit === undefined) return null;
    const match = knowledge.match(kind, printed, sample, unit);
    if (
      !match ||
      match.entry === knowledge.match(kind, printed, sample)?.entry ||
      spelled(kind, printed, sample)?.auto_mapped === 0
    )
      return null;
    return sown(kind, match.entry);
  }

  function byCode(kind: NameKind, printed: string, printedCode: string | null): Found | null {
    if (printedCode === null || !isSeededKind(kind)) return null;
    const entry = knowledge.byCode(kind, printedCode, printed);
    if (entry) return { id: sown(kind, entry), by: 'mapped' };
    const id = knowledge.isShared(kind, printedCode) ? null : repository.byPublicCode(kind, printedCode);
    return id === null ? null : { id, by: 'mapped' };
  }

  function byKnowledge(kind: NameKind, printed: string, sample: string | null): Found | null {
    const match = isSeededKind(kind) ? knowledge.match(kind, printed, sample) : null;
    return match ? { id: sown(kind as SeededKind, match.entry), by: match.by === 'alias' ? 'known' : 'mapped' } : null;
  }

  /** One entry that is surely meant; none when two could be. */
  function byLikeness(kind: NameKind, printed: string, sample: string | null): Found | null {
    if (kind === 'doctors') return only(personsLike(printed));
    if (kind === 'facilities') {
      const id = houseWithoutPlace(printed);
      if (id !== null) return { id, by: 'mapped' };
    }
    if (kind === 'medications') {
      const alias = medicineNameForms(printed)
        .map((form) => repository.byKey(kind, form))
        .find((row) => row !== undefined);
      if (alias) return { id: alias.entry_id, by: 'mapped' };
    }
    const key = aliasKey(kind, printed, sample);
    const isNear = (other: string): boolean => compareSpellings(key, other) === 'sure';
    const near = new Set(
      repository
        .keys(kind)
        .filter(({ alias_key }) => isNear(alias_key))
        .map(({ entry_id }) => entry_id),
    );
    if (!isSeededKind(kind)) return only(near);
    // What the knowledge base knows counts as well: a slip of `neurologia` may be one of `nefrologia`, which no
    // document has named yet.
    const unsown = new Set<KnowledgeEntry>();
    for (const { entry } of spellingsOf(kind).filter((known) => isNear(known.key))) {
      const row = rowOf(kind, entry);
      if (row === undefined) unsown.add(entry);
      else near.add(row);
    }
    const [entry] = unsown;
    if (near.size + unsown.size !== 1) return null;
    return entry ? { id: sown(kind, entry), by: 'mapped' } : only(near);
  }

  /** Doctors who may be abbreviated so, or whom this spells out; nobody whose other spellings speak against it. */
  function personsLike(printed: string): number[] {
    const { words } = readDoctorName(printed);
    const candidates = words
      .filter((word) => word.length > 1)
      .flatMap((word) => repository.withWord('doctors', word))
      .filter(({ alias_key }) => comparePeople(words, alias_key.split(' ')) === 'initial')
      .map(({ entry_id }) => entry_id);
    return [...new Set(candidates)].filter((id) =>
      repository
        .aliasesOf('doctors', [id])
        .every(({ alias_key }) => comparePeople(words, alias_key.split(' ')) !== null),
    );
  }

  /** Completes `A. Meier` to `Anna Meier` once that was printed, unless a user has reviewed the entry. */
  function spellOut(id: number, printed: string): void {
    const row = repository.entry('doctors', id);
    const { title, name, words } = readDoctorName(printed);
    const isShorter =
      row !== undefined &&
      readDoctorName(row.canonical_display).words.some((word) => word.length === 1) &&
      words.every((word) => word.length > 1);
    if (!isShorter || repository.aliasesOf('doctors', [id]).some(({ auto_mapped }) => auto_mapped === 0)) return;
    const kept = title ?? (row['title'] as string | null);
    repository.reseed('doctors', id, {
      canonical_display: kept === null ? name : `${kept} ${name}`,
      name,
      title: kept,
    });
    notifyRenamed?.('doctors', id);
  }

  /** `Synlab AG, Bern` is the known `Synlab`, unless that one is in another city. */
  function houseWithoutPlace(printed: string): number | null {
    const { withoutPlace, words } = readFacilityName(printed);
    const id = withoutPlace === null ? undefined : repository.byKey('facilities', withoutPlace.join(' '))?.entry_id;
    if (id === undefined || withoutPlace === null) return null;
    const city = repository.entry('facilities', id)?.['city'] as string | null;
    const isElsewhere = city !== null && aliasKey('specialties', city) !== words.slice(withoutPlace.length).join(' ');
    return isElsewhere ? null : id;
  }

  function create(kind: NameKind, printed: string, { code, sample }: ResolveOptions): number {
    const display = printed.trim().replace(/\s+/g, ' ');
    const common = { canonical_code: codeOf(kind, printed, sample ?? null), created_at: now() };
    if (kind === 'doctors') {
      const { title, name } = readDoctorName(display);
      return repository.insert(kind, {
        ...common,
        canonical_display: title === null ? name : `${title} ${name}`,
        name,
        title,
      });
    }
    if (kind === 'facilities') {
      const { name, city, address } = readFacilityName(display);
      return repository.insert(kind, { ...common, canonical_display: name, name, city, address });
    }
    const column = CODE_COLUMN[kind];
    return repository.insert(kind, {
      ...common,
      canonical_display: display,
      ...(column !== undefined && code && { [column]: code }),
    });
  }

  return {
    sown,
    inLanguage,
    /** Reads and folds what the first look-up by likeness needs, in slices. */
    async prepare(): Promise<void> {
      await knowledge.prepare();
      for (const kind of KNOWLEDGE_KINDS)
        if (!knownSpellings.has(kind)) knownSpellings.set(kind, await inSlices(listing(kind)));
    },
    find: (kind: NameKind, printed: string, sample: string | null = null): number | null =>
      bySpelling(kind, printed, sample),
    /** The entry that is meant, made where there is none. */
    resolve(kind: NameKind, printed: string, options: ResolveOptions): number {
      const sample = options.sample ?? null;
      const known = byUnit(kind, printed, sample, options.unit) ?? bySpelling(kind, printed, sample);
      if (known !== null) return known;
      const found =
        byCode(kind, printed, options.code?.trim() || null) ??
        byKnowledge(kind, printed, sample) ??
        (options.auto ? byLikeness(kind, printed, sample) : null);
      const id = found?.id ?? create(kind, printed, options);
      if (kind === 'doctors' && found) spellOut(id, printed);
      const key = aliasKey(kind, printed, sample);
      if (key !== '')
        repository.addAlias(kind, {
          entryId: id,
          alias: printed.trim().replace(/\s+/g, ' '),
          key,
          auto: options.auto && found?.by !== 'known',
          now: now(),
        });
      return id;
    },
  };
}

const only = (ids: Iterable<number>): Found | null => {
  const [first, ...others] = new Set(ids);
  return first !== undefined && others.length === 0 ? { id: first, by: 'mapped' } : null;
};

/** The sample in words, for the key of a test's own name. */
const specimenOf = (entry: KnowledgeEntry): string | null =>
  entry.kind === 'lab_tests' && entry.specimen !== 'blood' ? entry.specimen : null;
