import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import { NAME_TYPES, type names as contract } from '../../../src-shared/contract/names.ts';
import { TRASH_DAYS } from '../../../src-shared/contract/trash.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { CatchUp } from '../../platform/database/catch-up.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createEntries } from './entries.ts';
import { countMoved, createMerges, type MergeTarget } from './merges.ts';
import { aliasKey } from './name-key.ts';
import { pairKey, proposeMerges, type Candidate } from './proposals.ts';
import { createReferenceRepository } from './reference-repository.ts';
import { CODE_COLUMN, TABLES, isSeededKind } from './references.ts';
import { createNameReindex } from './reindex.ts';
import { createNameRepository, type EntryRow } from './repository.ts';
import { createNameRights } from './rights.ts';
import { reseedFromKnowledgeBase } from './seed-entries.ts';

const DAY_MS = 86_400_000;
const MAX_MERGES_SHOWN = 50;

export type { NameKind } from '../../platform/database/schema/names.ts';
export { aliasKey, foldName } from './name-key.ts';
export type { NameResolver } from './resolver.ts';

export interface NameServiceDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  knowledge: Knowledge;
  language: () => string;
  catchUp: CatchUp;
  documents: { reindex(ids: readonly number[]): void; changed(): void };
  announce: (message: LiveMessage) => void;
}

export type NameService = ReturnType<typeof createNameService>;

/**
 * Edits and merges of canonical names. Checks access here, because it depends on the records that refer to an entry.
 */
export function createNameService({
  db,
  vault,
  clock,
  access,
  knowledge,
  language,
  catchUp,
  documents,
  announce,
}: NameServiceDeps) {
  const now = (): string => toTimestamp(clock.now());
  const repository = createNameRepository(db);
  const references = createReferenceRepository(db);
  const rights = createNameRights({ access, references, exists: repository.exists });
  const reindex = createNameReindex({ catchUp, references, reindex: documents.reindex, changed: documents.changed });
  const entries = createEntries({ repository, references, rights, reindex, now });
  const merges = createMerges({ db, repository, references });

  /** Runs `work` in a transaction, then announces the change and updates search in the background. */
  const change = <T>(kind: NameKind, work: () => T): T => {
    const result = vault.transaction(work);
    documents.changed();
    announce({ kind: 'names', type: kind });
    reindex.wake();
    return result;
  };
  const isUndoable = (createdAt: string): boolean => undoUntil(createdAt) > now();

  function candidateOf(kind: NameKind, row: EntryRow, keys: readonly string[], uses: number): Candidate {
    const column = CODE_COLUMN[kind];
    const printedCode = column === undefined ? null : (row[column] as string | null);
    const code =
      printedCode !== null && isSeededKind(kind) && knowledge.isShared(kind, printedCode) ? null : printedCode;
    return {
      id: row.id,
      display: row.canonical_display,
      keys: [...new Set([aliasKey(kind, row.canonical_display), ...keys])].filter((key) => key !== ''),
      code,
      known: knownAs(kind, row, printedCode),
      uses,
      city: (row['city'] as string | null | undefined) ?? null,
    };
  }
  function knownAs(kind: NameKind, row: EntryRow, code: string | null): Candidate['known'] {
    if (!isSeededKind(kind)) return null;
    const coded =
      (row.seeded === 1 ? knowledge.byCanonicalCode(kind, row.canonical_code) : null) ??
      (code === null ? null : knowledge.byCode(kind, code, row.canonical_display));
    if (coded) return { entry: coded.canonicalCode, code: coded.code, by: 'code' };
    const match = code === null ? knowledge.match(kind, row.canonical_display) : null;
    return match && { entry: match.entry.canonicalCode, code: match.entry.code, by: match.by };
  }

  function merge(
    kind: NameKind,
    sourceIds: readonly number[],
    target: MergeTarget,
    user: UserCaller,
  ): ReplyInput<typeof contract.merge> {
    const done = change(kind, () => {
      for (const id of [...sourceIds, ...('id' in target ? [target.id] : [])]) rights.requireChange(user, kind, id);
      const row = merges.merge(kind, sourceIds, target, { userId: user.userId, now: now() });
      reindex.entry(kind, row.target_id);
      return row;
    });
    return {
      ok: true,
      merge_id: done.id,
      target_id: done.target_id,
      moved_references: countMoved(done.moved),
      moved_aliases: done.aliases.filter(({ entry_id }) => entry_id !== null).length,
      undo_until: undoUntil(done.created_at),
    };
  }

  return {
    overview: (user: UserCaller): ReplyInput<typeof contract.overview> => ({
      types: NAME_TYPES.map((type) => ({ type, ...entries.counts(type, user) })),
    }),
    list: entries.list,
    get(kind: NameKind, id: number, user: UserCaller) {
      rights.requireSeen(user, kind, id);
      return entries.one(kind, id, user);
    },
    documents(
      kind: NameKind,
      id: number,
      { limit, offset }: { limit: number; offset: number },
      user: UserCaller,
    ): ReplyInput<typeof contract.documents> {
      rights.requireSeen(user, kind, id);
      return references.documents(kind, id, rights.viewer(user), limit, offset) as ReplyInput<
        typeof contract.documents
      >;
    },
    update(kind: NameKind, id: number, changes: Input<typeof contract.update>['body'], user: UserCaller) {
      change(kind, () => {
        rights.requireChange(user, kind, id);
        entries.update(kind, id, changes);
      });
      return entries.one(kind, id, user);
    },
    remove(kind: NameKind, id: number, user: UserCaller): ReplyInput<typeof contract.remove> {
      const trashId = change(kind, () => {
        rights.requireRemove(user, kind, id);
        const label = repository.entry(kind, id)?.canonical_display ?? '';
        const affected = references.documentIds(kind, id, 0, -1);
        const taken = vault.trash.addName(
          TABLES[kind],
          id,
          repository.aliasesOf(kind, [id]).map(({ alias_id }) => alias_id),
          { label, patientId: null, deletedByUserId: user.userId },
        );
        reindex.gone(kind, id, affected);
        return taken;
      });
      return { ok: true, trash_id: trashId, undo_until: undoUntil(now()) };
    },
    addAlias(kind: NameKind, id: number, body: Input<typeof contract.addAlias>['body'], user: UserCaller) {
      return change(kind, () => {
        rights.requireChange(user, kind, id);
        return entries.addAlias(kind, id, body, user);
      });
    },
    removeAlias: (kind: NameKind, aliasId: number, user: UserCaller) =>
      change(kind, () => entries.removeAlias(kind, aliasId, (entryId) => rights.requireChange(user, kind, entryId))),
    confirm(kind: NameKind, id: number, user: UserCaller): ReplyInput<typeof contract.confirm> {
      return change(kind, () => {
        rights.requireChange(user, kind, id);
        return { ok: true, confirmed: repository.confirm(kind, id) };
      });
    },

    merge,
    /** Merges into an existing or a new entry. */
    mergeBatch(
      kind: NameKind,
      { source_ids, target_id, new_target }: Input<typeof contract.mergeBatch>['body'],
      user: UserCaller,
    ) {
      return merge(
        kind,
        source_ids,
        target_id === undefined ? (new_target as NonNullable<typeof new_target>) : { id: target_id },
        user,
      );
    },
    /** Proposes merges of entries that the user may change. Changes nothing. */
    autoMerge(kind: NameKind, user: UserCaller): ReplyInput<typeof contract.autoMerge> {
      const seen = entries.visibleIds(kind, user);
      const rows = repository.entries(kind).filter(({ id }) => seen.has(id));
      const keys = Map.groupBy(repository.keys(kind), ({ entry_id }) => entry_id);
      const uses = references.uses(
        kind,
        rows.map(({ id }) => id),
        rights.viewer(user),
      );
      const apart = new Set(repository.distinctions(kind).map(({ low_id, high_id }) => pairKey(low_id, high_id)));
      const found = proposeMerges(
        kind,
        rows.map((row) =>
          candidateOf(
            kind,
            row,
            (keys.get(row.id) ?? []).map(({ alias_key }) => alias_key),
            uses.get(row.id) ?? 0,
          ),
        ),
        apart,
      );
      const proposals = found.filter(({ target_id, source_ids }) =>
        [target_id, ...source_ids].every((id) => rights.mayChange(user, kind, id)),
      );
      const named = new Set(proposals.flatMap(({ target_id, source_ids }) => [target_id, ...source_ids]));
      return {
        proposals,
        entries: entries.wire(
          kind,
          rows.filter(({ id }) => named.has(id)),
          user,
        ),
      };
    },
    keepApart(kind: NameKind, ids: readonly number[], apart: boolean, user: UserCaller): { ok: true } {
      return change(kind, () => {
        for (const id of ids) rights.requireChange(user, kind, id);
        for (const [index, a] of ids.entries())
          for (const b of ids.slice(index + 1))
            if (a !== b)
              (apart ? repository.distinguish : repository.forgetDistinction)(kind, Math.min(a, b), Math.max(a, b));
        return { ok: true };
      });
    },

    /** The user's own merges, and those into entries that they may see. */
    merges(kind: NameKind, user: UserCaller): ReplyInput<typeof contract.merges> {
      const rows = merges
        .latest(kind, MAX_MERGES_SHOWN)
        .filter(
          (row) =>
            isUndoable(row.created_at) && (row.user_id === user.userId || rights.sees(user, kind, row.target_id)),
        );
      return {
        items: rows.map((row) => ({
          merge_id: row.id,
          target_id: row.target_id,
          target_display: repository.entry(kind, row.target_id)?.canonical_display ?? '',
          source_displays: row.sources.entries.map(({ canonical_display }) => canonical_display),
          moved_references: countMoved(row.moved),
          created_at: row.created_at,
          undone_at: row.undone_at,
          undo_until: undoUntil(row.created_at),
          can_undo:
            row.undone_at === null &&
            rights.sees(user, kind, row.target_id) &&
            rights.mayChange(user, kind, row.target_id),
        })),
      };
    },
    undoMerge(kind: NameKind, mergeId: number, user: UserCaller): ReplyInput<typeof contract.undoMerge> {
      return change(kind, () => {
        const row = merges.get(kind, mergeId);
        if (!row || !isUndoable(row.created_at)) throw fail('name.merge_not_found');
        if (row.undone_at !== null) throw fail('name.merge_already_undone');
        if (!repository.exists(kind, row.target_id)) throw fail('name.merge_superseded');
        if (!rights.sees(user, kind, row.target_id) && row.user_id !== user.userId) throw fail('name.merge_not_found');
        if (!rights.mayChange(user, kind, row.target_id)) throw fail('auth.read_only');
        const moved = merges.undo(kind, row, now());
        for (const { id } of row.sources.entries) reindex.entry(kind, id);
        return { ok: true, entry_ids: row.sources.entries.map(({ id }) => id), moved_references: moved };
      });
    },

    /** Reading gave an entry a fuller name; part of that transaction. */
    renamed(kind: NameKind, id: number): void {
      reindex.entry(kind, id);
      reindex.wake();
    },
    /** An entry came back from the trash; part of the transaction that brings it. */
    restored({ table, id }: { table: string; id: number }): void {
      const kind = NAME_TYPES.find((type) => TABLES[type] === table);
      if (!kind) return;
      reindex.entry(kind, id);
      reindex.wake();
      announce({ kind: 'names', type: kind });
    },
    /**
     * Entries that came from the knowledge base follow its edition and the language that is set; merges that nobody can
     * undo any more are forgotten.
     */
    renew(): void {
      db.transaction(() => {
        reseedFromKnowledgeBase({ repository, knowledge, reindex, language, now });
        merges.forgetBefore(toTimestamp(clock.now() - TRASH_DAYS * DAY_MS));
      });
      documents.changed();
      reindex.wake();
    },
  };
}
