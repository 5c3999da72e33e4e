import type { NameKind } from '../../platform/database/schema/names.ts';
import { homeColumns, type Home } from './circle.ts';
import type { AliasRow, AliasSource } from './alias-repository.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import { requireEntry, type EntryRow, type NameRepository } from './repository.ts';

export interface SeparateDeps {
  references: ReferenceRepository;
  repository: NameRepository;
}

interface Parts {
  /** One of the owners whose records keep the entry. */
  own: Home;
  /** The owners whose records are given a copy. */
  others: readonly Home[];
  isOwn: (home: Home) => boolean;
}

const ownerOf = ({ patient_id, user_id }: AliasSource): Home =>
  patient_id === 0 ? { patientId: null, uploaderId: user_id || null } : { patientId: patient_id, uploaderId: null };

/**
 * Leaves an entry to the records of some owners and gives those of the others a copy with the same names. Everybody
 * sees what they saw before. Returns the id of the copy, null if there are no others. Part of the caller's transaction.
 */
export function separateOthers(
  deps: SeparateDeps,
  kind: NameKind,
  id: number,
  { own, others, isOwn }: Parts,
): number | null {
  const { references, repository } = deps;
  const entry = requireEntry(repository, kind, id);
  if (!hasHome(entry, isOwn)) repository.reseed(kind, id, homeColumns(own));
  const [firstOther] = others;
  if (firstOther === undefined) return null;
  const copy = copyEntry(repository, kind, entry, firstOther);
  references.moveOwners(kind, id, copy, others);
  for (const alias of repository.aliasesOf(kind, [id])) separateAlias(repository, kind, alias, copy, isOwn);
  for (const { low_id, high_id } of repository.distinctions(kind)) {
    const other = low_id === id ? high_id : low_id;
    if (low_id === id || high_id === id) repository.distinguish(kind, Math.min(other, copy), Math.max(other, copy));
  }
  return copy;
}

function hasHome({ home_patient_id, home_user_id }: EntryRow, isOwn: (home: Home) => boolean): boolean {
  if (home_patient_id === null && home_user_id === null) return false;
  return isOwn({ patientId: home_patient_id, uploaderId: home_user_id || null });
}

/** Copies an entry without its spellings; returns the id of the copy. */
export function copyEntry(repository: NameRepository, kind: NameKind, entry: EntryRow, home: Home): number {
  const { id: _id, ...columns } = entry;
  return repository.insert(kind, { ...columns, ...homeColumns(home) });
}

/** A printed spelling goes where its sources are; any other spelling is copied. */
function separateAlias(
  repository: NameRepository,
  kind: NameKind,
  alias: AliasRow,
  copy: number,
  isOwn: (home: Home) => boolean,
): void {
  const sources = repository.sources(alias.alias_id).filter((source) => !isOwn(ownerOf(source)));
  if (alias.printed && sources.length === 0) return;
  const copied = repository.insertAlias(kind, {
    entryId: copy,
    alias: alias.alias,
    key: alias.alias_key,
    language: alias.language,
    auto: alias.auto_mapped === 1,
    printed: alias.printed === 1,
    now: alias.created_at,
  });
  for (const source of sources) {
    repository.addSource(copied, source);
    repository.removeSource(alias.alias_id, source);
  }
  if (alias.printed && repository.sources(alias.alias_id).length === 0)
    repository.removeAliases(kind, [alias.alias_id]);
}
