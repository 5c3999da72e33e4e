import type { Database } from '../../platform/database/connection.ts';
import { NAME_KINDS, type NameKind } from '../../platform/database/schema/names.ts';
import { homeColumns, sourceOf, type Home } from './circle.ts';
import type { NameCircles } from './circles.ts';
import { aliasKey } from './name-key.ts';
import { entriesOf, isUsedOnlyBy, referencesOf, repoint, type MovingRecord } from './moving-record-repository.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import { requireEntry, type NameRepository } from './repository.ts';
import { copyEntry } from './separate.ts';

export interface AdoptDeps {
  db: Database;
  repository: NameRepository;
  references: ReferenceRepository;
  circles: NameCircles;
  now: () => string;
}
/**
 * Gives a record that is about to move to another owner the names of that owner's circle: an entry with the same name,
 * else its own entry if nothing else uses it, else a copy. Part of the caller's transaction, before the owner changes.
 */
export function adoptNames(deps: AdoptDeps, record: MovingRecord, home: Home): void {
  for (const kind of NAME_KINDS) {
    const successors = new Map<number, number>();
    for (const reference of referencesOf(kind, record))
      for (const id of entriesOf(deps.db, reference, record)) {
        const successor = successors.get(id) ?? successorOf(deps, kind, id, record, home);
        successors.set(id, successor);
        if (successor !== id) repoint(deps.db, reference, record, id, successor);
      }
    for (const [id, successor] of successors) if (successor !== id) removeUnsorted(deps, kind, id);
  }
}

function successorOf(deps: AdoptDeps, kind: NameKind, id: number, record: MovingRecord, home: Home): number {
  const { db, repository, circles } = deps;
  const circle = circles.of(home);
  if (circle.has(kind, id)) return id;
  const entry = requireEntry(repository, kind, id);
  const aliases = repository.aliasesOf(kind, [id]);
  const keys = [aliasKey(kind, entry.canonical_display), ...aliases.map(({ alias_key }) => alias_key)];
  const same =
    keys.flatMap((key) => circle.repository.byKey(kind, key)?.entry_id ?? [])[0] ??
    circle.repository.byCanonicalCode(kind, entry.canonical_code)?.id;
  if (same !== undefined) return same;
  if (isUsedOnlyBy(db, kind, id, record)) {
    repository.reseed(kind, id, homeColumns(home));
    for (const { alias_id, printed } of aliases.filter(({ printed }) => printed === 1)) {
      for (const source of repository.sources(alias_id)) repository.removeSource(alias_id, source);
      if (printed) repository.addSource(alias_id, sourceOf(home));
    }
    return id;
  }
  const copy = copyEntry(repository, kind, entry, home);
  const [key = ''] = keys;
  if (key !== '')
    repository.insertAlias(kind, { entryId: copy, alias: entry.canonical_display, key, auto: false, now: deps.now() });
  return copy;
}

/** Removes an entry that was added for documents without a patient and is no longer used. */
function removeUnsorted({ repository, references }: AdoptDeps, kind: NameKind, id: number): void {
  const entry = repository.entry(kind, id);
  if (entry === undefined || entry.home_user_id === null || references.isUsed(kind, id)) return;
  repository.removeAliases(
    kind,
    repository.aliasesOf(kind, [id]).map(({ alias_id }) => alias_id),
  );
  repository.remove(kind, id);
}
