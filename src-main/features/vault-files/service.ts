import { basename } from 'node:path';
import type { LiveMessage } from '../../../src-shared/contract/live.ts';
import type { vaultFiles as contract, VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createFolderCache, type FolderFactsReader } from './folder-facts.ts';
import { hashFile } from '../../platform/vault/hash.ts';
import { planMove, type MoveRequest } from './moves.ts';
import { isVaultPath, lstatOrNull } from '../../platform/vault/paths.ts';
import { createVaultRepository, type VaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, createRights, type Rights } from '../../platform/access/rights.ts';
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
    /** Part of the transaction that moves the file of the document. */
    keepPlace(id: number): void;
  };
  announce(message: LiveMessage): void;
}

interface Deps extends VaultFilesDeps {
  repository: VaultRepository;
  folders: FolderFactsReader;
}
type Removed = ReplyInput<typeof contract.remove>;
type Moved = ReplyInput<typeof contract.move>;
interface TreeRequest {
  path?: string | undefined;
  depth: number;
}

export type VaultFiles = ReturnType<typeof createVaultFiles>;

/** File operations of users in the vault. */
export function createVaultFiles(dependencies: VaultFilesDeps) {
  const { db, vault, clock } = dependencies;
  const repository = createVaultRepository(db);
  const folders = createFolderCache({ db, paths: vault, repository, clock });
  const deps: Deps = { ...dependencies, repository, folders };
  return {
    tree: (request: TreeRequest, user: UserCaller, signal: AbortSignal) => readEntries(deps, request, user, signal),
    remove: (path: string, user: UserCaller) => removePath(deps, path, user),
    move: (request: MoveRequest, user: UserCaller) => movePath(deps, request, user),
  };
}

const rightsOf = ({ access, repository }: Deps, user: UserCaller): Rights => createRights({ access, repository }, user);

/** Throws `vault.path_outside` and `vault.path_not_found`; the latter also for paths that the caller may not see. */
async function readEntries(
  deps: Deps,
  { path, depth }: TreeRequest,
  user: UserCaller,
  signal: AbortSignal,
): Promise<VaultEntry> {
  const { vault, repository } = deps;
  const tree = { paths: vault, repository, rights: rightsOf(deps, user), signal, folders: deps.folders };
  if (path === undefined) return readTree(tree, depth);
  if (!isVaultPath(path) || !isInDocumentFolder(path)) throw fail('vault.path_outside');
  const entry = lstatOrNull(vault.resolve(path));
  if (entry === null) throw fail('vault.path_not_found');
  const found = entry.isDirectory() ? await readFolder(tree, path, depth) : await readFile(tree, path, entry);
  if (!found) throw fail('vault.path_not_found');
  return found;
}

/** Moves a document, or a file without one, to the trash. */
async function removePath(deps: Deps, path: string, user: UserCaller): Promise<Removed> {
  const { repository, documents } = deps;
  if (!isVaultPath(path) || !isInDocumentFolder(path)) throw fail('vault.path_outside');
  const rights = rightsOf(deps, user);
  const row = repository.documentAt(path);
  rights.requireWrite(row ? belongingOfDocument(row) : rights.belongingOfPlace(path));
  if (!row) return removeFile(deps, path, user, rights);
  const { trash_id, undo_until } = documents.remove(row.id, user);
  return { status: 'deleted', path, document_id: row.id, trash_id, undo_until };
}

async function removeFile(
  { vault, repository, clock }: Deps,
  path: string,
  user: UserCaller,
  rights: Rights,
): Promise<Removed> {
  const absolute = vault.resolve(path);
  const entry = lstatOrNull(absolute);
  if (entry === null) throw fail('vault.path_not_found');
  if (!entry.isFile()) throw fail('vault.path_outside');
  if (!isMovable(path, 'file')) throw fail('vault.protected_folder');
  if (repository.studyAbove(path).length > 0) throw fail('vault.part_of_study');
  const fileHash = await hashFile(absolute);
  const trashId = vault.transaction(() => {
    // The file may have become a document while it was read.
    if (vault.knows(path) || lstatOrNull(absolute) === null) throw fail('vault.path_not_found');
    return vault.trash.addFile(path, {
      label: basename(path),
      patientId: rights.belongingOfPlace(path).patientId,
      deletedByUserId: user.userId,
      fileHash,
    });
  });
  const undo_until = undoUntil(toTimestamp(clock.now()));
  return { status: 'deleted', path, document_id: null, trash_id: trashId, undo_until };
}

/**
 * Moves a file or folder. The paths in the database are changed in the transaction that journals the file moves, so
 * that both agree again after a crash.
 */
function movePath(deps: Deps, request: MoveRequest, user: UserCaller): Moved {
  const { vault, repository, clock, documents, announce } = deps;
  const rights = rightsOf(deps, user);
  const moved = vault.transaction(() => {
    const plan = planMove({ vault, repository, isReading: documents.isReading }, rights, request);
    if (plan.to === plan.from) return { ...plan, documents: [], status: 'noop' as const };
    for (const [source, target] of plan.steps) vault.journal.planMove(source, target);
    repository.rewritePaths(plan.from, plan.to, toTimestamp(clock.now()));
    for (const { id } of plan.documents) documents.keepPlace(id);
    return { ...plan, status: 'moved' as const };
  });
  for (const { id, patient_id, status } of moved.documents)
    announce({ kind: 'document', document_id: id, patient_id, status, change: 'updated' });
  const { status, from, to } = moved;
  return { status, from, to, affected_documents: moved.documents.map(({ id }) => id) };
}
