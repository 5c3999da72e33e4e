import type { NameKind } from '../../platform/database/schema/names.ts';
import { readDoctorName } from './doctor-name.ts';
import { readFacilityName } from './facility-name.ts';
import { aliasKey, codeOf } from './name-key.ts';
import { CODE_COLUMN, isSeededKind } from './references.ts';
import type { AliasRow } from './alias-repository.ts';
import type { Home } from './circle.ts';
import type { NameRepository } from './repository.ts';
import { seedEntry, type SeedDeps } from './seed-entries.ts';
import { createKnownSpellings, findSimilar, type SimilarityDeps } from './similar-entry.ts';

export interface ResolveOptions {
  /** Whether the pipeline resolves the name: similar names are accepted too, and its decisions need review. */
  auto: boolean;
  /** The LOINC, ICD-10 or ATC code printed beside the name. */
  code?: string | null;
  /** The laboratory's word for the specimen. */
  sample?: string | null;
  /** The owner of the record in which the name appears. */
  home?: Home;
  /** The unit printed with a result, null for none: `Neutrophils` in percent and per liter are two tests. */
  unit?: string | null;
}

export interface EntryResolverDeps extends SeedDeps {
  /** The repository limited to one circle; without it, all entries form one circle. */
  within?: (home: Home) => NameRepository;
  /** Called in the transaction that gives an entry a fuller name. */
  notifyRenamed?: (kind: NameKind, id: number) => void;
}

type Deps = EntryResolverDeps & SimilarityDeps;

/** An entry and how it was found: `known` needs no review, `mapped` is an automatic decision. */
interface Match {
  id: number;
  by: 'known' | 'mapped';
}

export type EntryResolver = ReturnType<typeof createEntryResolver>;

/**
 * Finds the entry for a printed name: by spelling, code, the knowledge base, and finally by similarity. Part of the
 * caller's transaction.
 */
export function createEntryResolver(dependencies: EntryResolverDeps) {
  const deps: Deps = { ...dependencies, knownSpellings: createKnownSpellings(dependencies.knowledge) };
  return {
    /** Prepares the first lookup in slices. */
    async prepare(): Promise<void> {
      await deps.knowledge.prepare();
      await deps.knownSpellings.prepare();
    },
    find: (kind: NameKind, printed: string, sample: string | null = null): number | null =>
      findBySpelling(deps, kind, printed, sample),
    resolve(kind: NameKind, printed: string, options: ResolveOptions): number {
      const repository = options.home && deps.within ? deps.within(options.home) : deps.repository;
      const id = resolveName({ ...deps, repository }, kind, printed, options);
      const key = aliasKey(kind, printed, options.sample ?? null);
      if (key !== '') repository.recordSpelling(kind, id, key);
      return id;
    },
  };
}

/** Finds the entry of a printed name, or adds one. */
function resolveName(deps: Deps, kind: NameKind, printed: string, options: ResolveOptions): number {
  const sample = options.sample ?? null;
  const known = findByUnit(deps, kind, printed, options) ?? findBySpelling(deps, kind, printed, sample);
  if (known !== null) return known;
  const match =
    matchCode(deps, kind, printed, options.code?.trim() || null) ??
    matchKnowledge(deps, kind, printed, sample) ??
    (options.auto ? matchSimilar(deps, kind, printed, sample) : null);
  const id = match?.id ?? addEntry(deps, kind, printed, options);
  if (kind === 'doctors' && match) spellOutDoctor(deps, id, printed);
  const key = aliasKey(kind, printed, sample);
  if (key !== '')
    deps.repository.addAlias(kind, {
      entryId: id,
      alias: oneLine(printed),
      key,
      auto: options.auto && match?.by !== 'known',
      printed: true,
      now: deps.now(),
    });
  return id;
}

const oneLine = (printed: string): string => printed.trim().replace(/\s+/g, ' ');

function findAlias({ repository }: Deps, kind: NameKind, printed: string, sample: string | null): AliasRow | undefined {
  const key = aliasKey(kind, printed, sample);
  return key === '' ? undefined : repository.byKey(kind, key);
}

const findBySpelling = (deps: Deps, kind: NameKind, printed: string, sample: string | null): number | null =>
  findAlias(deps, kind, printed, sample)?.entry_id ??
  deps.repository.byCanonicalCode(kind, codeOf(kind, printed, sample))?.id ??
  null;

/**
 * Finds a test that only its unit distinguishes. The name is not recorded as a spelling of that test; a spelling that a
 * user assigned takes precedence.
 */
function findByUnit(deps: Deps, kind: NameKind, printed: string, { sample, unit }: ResolveOptions): number | null {
  const { knowledge } = deps;
  if (kind !== 'lab_tests' || unit === undefined) return null;
  const match = knowledge.match(kind, printed, sample ?? null, unit);
  if (
    !match ||
    match.entry === knowledge.match(kind, printed, sample ?? null)?.entry ||
    findAlias(deps, kind, printed, sample ?? null)?.auto_mapped === 0
  )
    return null;
  return seedEntry(deps, kind, match.entry);
}

function matchCode(deps: Deps, kind: NameKind, printed: string, printedCode: string | null): Match | null {
  const { knowledge, repository } = deps;
  if (printedCode === null || !isSeededKind(kind)) return null;
  const entry = knowledge.byCode(kind, printedCode, printed);
  if (entry) return { id: seedEntry(deps, kind, entry), by: 'mapped' };
  const id = knowledge.isShared(kind, printedCode) ? null : repository.byPublicCode(kind, printedCode);
  return id === null ? null : { id, by: 'mapped' };
}

function matchKnowledge(deps: Deps, kind: NameKind, printed: string, sample: string | null): Match | null {
  if (!isSeededKind(kind)) return null;
  const match = deps.knowledge.match(kind, printed, sample);
  return match ? { id: seedEntry(deps, kind, match.entry), by: match.by === 'alias' ? 'known' : 'mapped' } : null;
}

function matchSimilar(deps: Deps, kind: NameKind, printed: string, sample: string | null): Match | null {
  const id = findSimilar(deps, kind, printed, sample);
  return id === null ? null : { id, by: 'mapped' };
}

/** Completes `A. Meier` to `Anna Meier` once a document prints it, unless a user has reviewed the entry. */
function spellOutDoctor({ repository, notifyRenamed }: Deps, id: number, printed: string): void {
  const row = repository.entry('doctors', id);
  const { title, name, words } = readDoctorName(printed);
  const isShorter =
    row !== undefined &&
    readDoctorName(row.canonical_display).words.some((word) => word.length === 1) &&
    words.every((word) => word.length > 1);
  if (!isShorter || !repository.isOwn('doctors', id)) return;
  if (repository.aliasesOf('doctors', [id]).some(({ auto_mapped }) => auto_mapped === 0)) return;
  const fullTitle = title ?? (row['title'] as string | null);
  repository.reseed('doctors', id, {
    canonical_display: withTitle(fullTitle, name),
    name,
    title: fullTitle,
  });
  notifyRenamed?.('doctors', id);
}

const withTitle = (title: string | null, name: string): string => (title === null ? name : `${title} ${name}`);

function addEntry(
  { repository, now }: Deps,
  kind: NameKind,
  printed: string,
  { code, sample }: ResolveOptions,
): number {
  const column = CODE_COLUMN[kind];
  return repository.insert(kind, {
    canonical_code: codeOf(kind, printed, sample ?? null),
    created_at: now(),
    ...namesOf(kind, printed),
    ...(column !== undefined && code && { [column]: code }),
  });
}

/** The columns of an entry that follow from its printed name. */
export function namesOf(kind: NameKind, printed: string): { canonical_display: string; [column: string]: unknown } {
  const display = oneLine(printed);
  if (kind === 'doctors') {
    const { title, name } = readDoctorName(display);
    return { canonical_display: withTitle(title, name), name, title };
  }
  if (kind !== 'facilities') return { canonical_display: display };
  const { name, city, address } = readFacilityName(display);
  return { canonical_display: name, name, city, address };
}
