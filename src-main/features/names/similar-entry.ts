import { medicineNameForms } from '../../../src-shared/medical/medicine-name.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { atOnce, inSlices, type Steps } from '../../platform/kernel/in-slices.ts';
import { KNOWLEDGE_KINDS, type Knowledge, type KnowledgeEntry } from '../../reading/knowledge/service.ts';
import { comparePeople, readDoctorName } from './doctor-name.ts';
import { readFacilityName } from './facility-name.ts';
import { aliasKey } from './name-key.ts';
import { isSeededKind } from './references.ts';
import type { NameRepository } from './repository.ts';
import { findSeeded, seedEntry, specimenOf, type SeededKind, type SeedDeps } from './seed-entries.ts';
import { compareSpellings } from './similarity.ts';

interface KnownSpelling {
  key: string;
  entry: KnowledgeEntry;
}

/** Number of entries whose spellings are folded between two pauses, which takes a few milliseconds. */
const SLICE_SIZE = 25;

/** Folded spellings of the knowledge base, computed once for each kind. */
export interface KnownSpellings {
  of(kind: SeededKind): readonly KnownSpelling[];
  /** Computes all of them in slices, so that the first lookup does not block. */
  prepare(): Promise<void>;
}

export interface SimilarityDeps extends SeedDeps {
  knownSpellings: KnownSpellings;
}

/** Creates the cache of folded spellings. */
export function createKnownSpellings(knowledge: Knowledge): KnownSpellings {
  const spellings = new Map<SeededKind, KnownSpelling[]>();
  return {
    of(kind) {
      const folded = spellings.get(kind) ?? atOnce(foldSpellings(knowledge, kind));
      spellings.set(kind, folded);
      return folded;
    },
    async prepare() {
      for (const kind of KNOWLEDGE_KINDS)
        if (!spellings.has(kind)) spellings.set(kind, await inSlices(foldSpellings(knowledge, kind)));
    },
  };
}

function* foldSpellings(knowledge: Knowledge, kind: SeededKind): Steps<KnownSpelling[]> {
  const spellings: KnownSpelling[] = [];
  for (const [position, entry] of knowledge.entries(kind).entries()) {
    if (position % SLICE_SIZE === SLICE_SIZE - 1) yield;
    for (const { alias, ambiguous } of entry.aliases)
      if (!ambiguous) spellings.push({ key: aliasKey(kind, alias, specimenOf(entry)), entry });
  }
  return spellings;
}

/** Finds the only entry that a name means with certainty by its similarity; null if there could be two. */
export function findSimilar(
  deps: SimilarityDeps,
  kind: NameKind,
  printed: string,
  sample: string | null,
): number | null {
  const { repository } = deps;
  if (kind === 'doctors') return onlyOne(doctorsLike(repository, printed));
  const sameName =
    (kind === 'facilities' ? facilityWithoutPlace(repository, printed) : null) ??
    (kind === 'medications' ? medicationInOtherForm(repository, printed) : null);
  return sameName ?? findMisspelled(deps, kind, aliasKey(kind, printed, sample));
}

/** Finds the only entry with a spelling that differs from the key by one typo. */
function findMisspelled(deps: SimilarityDeps, kind: NameKind, key: string): number | null {
  const { repository, knownSpellings } = deps;
  const isNear = (other: string): boolean => compareSpellings(key, other) === 'sure';
  const nearIds = new Set(
    repository
      .keys(kind)
      .filter(({ alias_key }) => isNear(alias_key))
      .map(({ entry_id }) => entry_id),
  );
  if (!isSeededKind(kind)) return onlyOne(nearIds);
  // Entries of the knowledge base without a row are included: a typo of `neurologia` may mean `nefrologia`, even if no
  // document has mentioned it yet.
  const unseeded = new Set<KnowledgeEntry>();
  for (const { entry } of knownSpellings.of(kind).filter((known) => isNear(known.key))) {
    const row = findSeeded(deps, kind, entry);
    if (row === undefined) unseeded.add(entry);
    else nearIds.add(row);
  }
  const [entry] = unseeded;
  if (nearIds.size + unseeded.size !== 1) return null;
  return entry ? seedEntry(deps, kind, entry) : onlyOne(nearIds);
}

/** Lists doctors whose name this abbreviates or spells out, unless another of their spellings contradicts it. */
function doctorsLike(repository: NameRepository, printed: string): number[] {
  const { words } = readDoctorName(printed);
  const candidates = words
    .filter((word) => word.length > 1)
    .flatMap((word) => repository.withWord('doctors', word))
    .filter(({ alias_key }) => comparePeople(words, alias_key.split(' ')) === 'initial')
    .map(({ entry_id }) => entry_id);
  return [...new Set(candidates)].filter((id) =>
    repository.aliasesOf('doctors', [id]).every(({ alias_key }) => comparePeople(words, alias_key.split(' ')) !== null),
  );
}

/** Finds the known `Synlab` for `Synlab AG, Bern`, unless it is in another city. */
function facilityWithoutPlace(repository: NameRepository, printed: string): number | null {
  const { withoutPlace, words } = readFacilityName(printed);
  const id = withoutPlace === null ? undefined : repository.byKey('facilities', withoutPlace.join(' '))?.entry_id;
  if (id === undefined || withoutPlace === null) return null;
  const city = repository.entry('facilities', id)?.['city'] as string | null;
  const isElsewhere = city !== null && aliasKey('specialties', city) !== words.slice(withoutPlace.length).join(' ');
  return isElsewhere ? null : id;
}

/** Finds a medicine of the same name in another dose, form or salt. */
const medicationInOtherForm = (repository: NameRepository, printed: string): number | null =>
  medicineNameForms(printed)
    .map((form) => repository.byKey('medications', form)?.entry_id)
    .find((id) => id !== undefined) ?? null;

function onlyOne(ids: Iterable<number>): number | null {
  const [first, ...others] = new Set(ids);
  return first !== undefined && others.length === 0 ? first : null;
}
