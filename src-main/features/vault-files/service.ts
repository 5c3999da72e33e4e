import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { vault as contract, VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createFolderFacts } from './folder-facts.ts';
import { DOCUMENT_FOLDERS } from '../../platform/vault/layout.ts';
import { hashFile } from '../../platform/vault/hash.ts';
import { planMove } from './moves.ts';
import { isVaultPath, lstatOrNull } from '../../platform/vault/paths.ts';
import { createVaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, createRights } from '../../platform/vault/rights.ts';
import { isInDocumentFolder, isMovable } from '../../platform/vault/scope.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import { readFile, readFolder, readTree } from './tree.ts';
import type { Vault } from '../../platform/vault/vault.ts';

export interface VaultFilesDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  documents: {
    remove(id: number, user: UserCaller): { trash_id: number; undo_until: string };
    isReading(id: number): boolean;
    /** Within the transaction that moved its file. */
    keepPlace(id: number): void;
    /** After documents changed behind the back of lists. */
    changed(): void;
  };
  announce(message: LiveMessage): void;
}

export type VaultFiles = ReturnType<typeof createVaultFiles>;

/** File operations of users in the vault. */
export function createVaultFiles({ db, vault, clock, access, documents, announce }: VaultFilesDeps) {
  const repository = createVaultRepository(db);
  const lookAtFolders = createFolderFacts({ db, paths: vault, repository, clock });
  const rightsOf = (user: UserCaller) => createRights({ access, repository }, user);

  return {
    /** Throws `vault.path_outside` and `vault.path_not_found`; the latter also for what the caller may not see. */
    async tree(
      { path, depth }: { path?: string | undefined; depth: number },
      user: UserCaller,
      signal: AbortSignal,
    ): Promise<VaultEntry> {
      const deps = { paths: vault, repository, rights: rightsOf(user), signal, look: lookAtFolders() };
      if (path === undefined) return readTree(deps, depth);
      if (!isVaultPath(path) || !isInDocumentFolder(path)) throw fail('vault.path_outside');
      const entry = lstatOrNull(vault.resolve(path));
      if (entry === null) throw fail('vault.path_not_found');
      const found = entry.isDirectory() ? await readFolder(deps, path, depth) : await readFile(deps, path, entry);
      if (!found) throw fail('vault.path_not_found');
      return found;
    },

    /** Looks at every folder, so that the first person who asks does not wait for that. Rejects when it is stopped. */
    async lookAround(signal: AbortSignal): Promise<void> {
      const look = lookAtFolders();
      const waiting: string[] = [...DOCUMENT_FOLDERS];
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        signal.throwIfAborted();
        waiting.push(...(await look.seen(path)).folders.map((name) => `${path}/${name}`));
        await nextTurn();
      }
    },

    async remove(path: string, user: UserCaller): Promise<ReplyInput<typeof contract.remove>> {
      if (!isVaultPath(path) || !isInDocumentFolder(path)) throw fail('vault.path_outside');
      const rights = rightsOf(user);
      const row = repository.documentAt(path);
      rights.requireWrite(row ? belongingOfDocument(row) : rights.belongingOfPlace(path));
      if (row) {
        const { trash_id, undo_until } = documents.remove(row.id, user);
        return { status: 'deleted', path, document_id: row.id, trash_id, undo_until };
      }
      const absolute = vault.resolve(path);
      const entry = lstatOrNull(absolute);
      if (entry === null) throw fail('vault.path_not_found');
      if (!entry.isFile()) throw fail('vault.path_outside');
      if (!isMovable(path, 'file')) throw fail('vault.protected_folder');
      if (repository.studyAbove(path).length > 0) throw fail('vault.part_of_study');
      const fileHash = await hashFile(absolute);
      const trashId = vault.transaction(() => {
        // The file may have got its document while it was read.
        if (vault.knows(path) || lstatOrNull(absolute) === null) throw fail('vault.path_not_found');
        return vault.trash.addFile(path, {
          label: basename(path),
          patientId: rights.belongingOfPlace(path).patientId,
          deletedByUserId: user.userId,
          fileHash,
        });
      });
      return {
        status: 'deleted',
        path,
        document_id: null,
        trash_id: trashId,
        undo_until: undoUntil(toTimestamp(clock.now())),
      };
    },

    /**
     * Paths of rows and the place on the disk change in one transaction with a promise: whenever the process dies, they
     * agree again at the next start.
     */
    move(asked: { from_path: string; to_path: string }, user: UserCaller): ReplyInput<typeof contract.move> {
      const rights = rightsOf(user);
      const {
        from,
        to,
        documents: moved,
      } = vault.transaction(() => {
        const plan = planMove({ vault, repository, isReading: documents.isReading }, rights, asked);
        if (plan.to === plan.from) return { ...plan, documents: [] };
        for (const [source, target] of plan.steps) vault.journal.planMove(source, target);
        repository.rewritePaths(plan.from, plan.to, toTimestamp(clock.now()));
        for (const { id } of plan.documents) documents.keepPlace(id);
        return plan;
      });
      if (moved.length > 0) documents.changed();
      for (const row of moved)
        announce({
          kind: 'document',
          document_id: row.id,
          patient_id: row.patient_id,
          status: row.status,
          change: 'updated',
        });
      return { status: 'moved', from, to, affected_documents: moved.map((row) => row.id) };
    },
  };
}
