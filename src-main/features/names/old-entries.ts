import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import { NAME_KINDS, type NameKind } from '../../platform/database/schema/names.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import { circleOf, homeColumns, sourceOf, type Home } from './circle.ts';
import { aliasKey, codeOf } from './name-key.ts';
import { findPrintedNames, type PrintedUse } from './printed-use-repository.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import { isSeededKind } from './references.ts';
import type { NameReindex } from './reindex.ts';
import { requireEntry, type NameRepository } from './repository.ts';
import { namesOf } from './resolve-name.ts';
import { separateOthers } from './separate.ts';

export interface OldEntryDeps {
  db: Database;
  access: Pick<AccessRules, 'sameOwners'>;
  knowledge: Knowledge;
  repository: NameRepository;
  references: ReferenceRepository;
  reindex: NameReindex;
}

/** The records of one circle that refer to an entry. */
interface Part {
  homes: Home[];
  printed: PrintedUse[];
}

/**
 * Gives the entries of earlier versions, which all circles shared and which have no home, to the circles of the records
 * that refer to them: one entry for each circle, with its own spellings. Runs before requests are served; each entry is
 * one transaction, so an interruption continues at the next start.
 */
export function separateOldEntries(deps: OldEntryDeps): void {
  for (const kind of NAME_KINDS)
    for (const id of deps.repository.withoutHome(kind))
      if (deps.references.isUsed(kind, id)) deps.db.transaction(() => separateEntry(deps, kind, id));
}

function separateEntry(deps: OldEntryDeps, kind: NameKind, id: number): void {
  const { db, repository, references, access } = deps;
  const keyOf = (home: Home): string =>
    home.patientId === null ? `user ${home.uploaderId}` : circleOf(access, home).patients.join(' ');
  const homes = Map.groupBy(references.owners(kind, id), keyOf);
  const printed = Map.groupBy(findPrintedNames(db, kind, id), keyOf);
  const parts = [...homes].map(([key, own]): Part => ({ homes: own, printed: printed.get(key) ?? [] }));
  markPrintedAliases(deps, kind, id, parts);
  const [first, ...others] = parts;
  const own = first?.homes[0];
  if (!first || !own) return;
  repository.reseed(kind, id, homeColumns(own));
  for (const part of others) {
    const isOwn = (home: Home): boolean => !part.homes.some((other) => isSame(home, other));
    const copy = separateOthers(deps, kind, id, { own, others: part.homes, isOwn });
    if (copy !== null) useOwnName(deps, kind, copy, part);
  }
  if (others.length > 0) useOwnName(deps, kind, id, first);
}

const isSame = (a: Home, b: Home): boolean => a.patientId === b.patientId && a.uploaderId === b.uploaderId;

const keysOf = (kind: NameKind, { printed }: Part): Set<string> =>
  new Set(printed.map(({ text, sample }) => aliasKey(kind, text, sample)));

const isFromKnowledge = ({ knowledge }: OldEntryDeps, kind: NameKind, name: string): boolean =>
  isSeededKind(kind) && knowledge.match(kind, name, null)?.by === 'alias';

/**
 * Finds out which spellings come from records, and from whose. Those of the knowledge base stay public. A spelling of a
 * shared entry that no record has now is hidden, because it is unknown whose it was; names are still found by it.
 */
function markPrintedAliases(deps: OldEntryDeps, kind: NameKind, id: number, parts: readonly Part[]): void {
  const { repository } = deps;
  for (const { alias_id, alias, alias_key } of repository.aliasesOf(kind, [id])) {
    const sources = parts
      .flatMap(({ printed }) => printed)
      .filter(({ text, sample }) => aliasKey(kind, text, sample) === alias_key);
    const isOfUser = sources.length === 0 && parts.length === 1;
    if (isOfUser || isFromKnowledge(deps, kind, alias)) continue;
    repository.markPrinted(alias_id);
    for (const source of sources) repository.addSource(alias_id, sourceOf(source));
  }
}

/** Names an entry as the records of its circle do, if its name is neither theirs nor that of the knowledge base. */
function useOwnName(deps: OldEntryDeps, kind: NameKind, id: number, part: Part): void {
  const { repository, reindex } = deps;
  const { canonical_display: display, seeded } = requireEntry(repository, kind, id);
  const isOwn = seeded === 1 || keysOf(kind, part).has(aliasKey(kind, display)) || isFromKnowledge(deps, kind, display);
  const [best] = part.printed.toSorted((a, b) => b.uses - a.uses);
  if (isOwn || !best) return;
  repository.reseed(kind, id, {
    ...namesOf(kind, best.text),
    canonical_code: codeOf(kind, best.text, best.sample),
  });
  reindex.reindexEntry(kind, id);
}
