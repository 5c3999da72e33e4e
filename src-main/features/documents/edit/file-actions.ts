import { lstat, readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { contentSizeOf, sealWhereItIs } from '../../../platform/vault/vault-files.ts';
import { hashFile } from '../../../platform/vault/hash.ts';
import { DOCUMENT_FOLDERS } from '../../../platform/vault/layout.ts';
import { isVaultPath, lstatOrNull } from '../../../platform/vault/paths.ts';
import type { ReceivedFile, Vault } from '../../../platform/vault/vault.ts';
import { extensionOf, kindOfMime } from '../intake/file-type.ts';
import type { Intake } from '../intake/intake.ts';
import { notifyChanged, requireDocument, type NotifyDeps } from '../notify.ts';
import { turnOfPage } from './page-turn.ts';
import type { PageTools } from '../../../reading/providers/page/page-tools.ts';
import type { ReadingQueue } from '../ports.ts';
import { reindexDocument } from '../list/text-index-repository.ts';
import type { DocumentRecord } from '../write-repository.ts';

export interface FileActionDeps extends NotifyDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  intake: Intake;
  pages: PageTools;
  queue: ReadingQueue;
}

type Receive = () => Promise<ReceivedFile & { filename: string }>;
type Degrees = 90 | 180 | 270 | -90;

interface Candidate {
  vault_path: string;
  size: number;
  modified_at: string;
}
const MAX_CANDIDATES = 50;

export type FileActions = ReturnType<typeof createFileActions>;

/** Actions on the file behind a document. */
export function createFileActions(deps: FileActionDeps) {
  return {
    findCandidates: (id: number, user: UserCaller) => findCandidates(deps, id, user),
    relink: (id: number, vaultPath: string, user: UserCaller) => relinkFile(deps, id, vaultPath, user),
    replaceFile: (id: number, receive: Receive, user: UserCaller) => replaceFile(deps, id, receive, user),
    rotate: (id: number, degrees: Degrees, only: number[] | undefined) => rotatePages(deps, id, degrees, only),
  };
}

const now = ({ clock }: FileActionDeps): string => toTimestamp(clock.now());

/** @throws `document.not_found`, `document.no_file`, `document.busy` */
function requireIdleDocument({ repository, queue }: FileActionDeps, id: number): DocumentRecord {
  const row = requireDocument(repository, id);
  if (row.file_path === '') throw fail('document.no_file');
  if (queue.isReading(id)) throw fail('document.busy');
  return row;
}

function requireSameExtension(row: DocumentRecord, name: string): void {
  const [expected, actual] = [extensionOf(row.file_path), extensionOf(name)];
  if (expected !== actual)
    throw fail('document.extension_mismatch', {
      expected: `.${expected}`,
      actual: actual ? `.${actual}` : 'without extension',
    });
}

/** Lists vault files with the document's name that no other document uses, in folders that the caller may change. */
export async function findCandidates(
  { vault, access, repository }: FileActionDeps,
  id: number,
  user: UserCaller,
): Promise<{ candidates: Candidate[]; filename: string }> {
  const row = requireDocument(repository, id);
  if (row.file_path === '') return { candidates: [], filename: row.original_filename };
  const names = new Set([row.original_filename, basename(row.file_path)].map((name) => name.toLowerCase()));
  const isCandidate = (path: string): boolean =>
    names.has(basename(path).toLowerCase()) &&
    isVaultPath(path) &&
    path !== row.file_path &&
    !vault.knows(path) &&
    access.mayReach(user, 'write', path);
  const candidates: Candidate[] = [];
  const found = { candidates, filename: row.original_filename };
  for (const folder of DOCUMENT_FOLDERS) {
    for await (const path of filesBelow(vault, folder)) {
      if (!isCandidate(path)) continue;
      const { mtimeMs } = await lstat(vault.resolve(path));
      const size = contentSizeOf(vault.resolve(path));
      candidates.push({ vault_path: path, size, modified_at: toTimestamp(mtimeMs) });
      if (candidates.length === MAX_CANDIDATES) return found;
    }
  }
  return found;
}

/** Points a document to another file of the vault. @throws `vault.path_outside`, `document.extension_mismatch` */
export async function relinkFile(deps: FileActionDeps, id: number, vaultPath: string, user: UserCaller): Promise<void> {
  const { db, vault, access, repository } = deps;
  const row = requireIdleDocument(deps, id);
  requireSameExtension(row, vaultPath);
  const absolute = vault.resolve(vaultPath);
  const entry = lstatOrNull(absolute);
  const isFree = vaultPath === row.file_path || (!vault.knows(vaultPath) && access.mayReach(user, 'write', vaultPath));
  if (!DOCUMENT_FOLDERS.some((folder) => vaultPath.startsWith(`${folder}/`)) || !entry?.isFile() || !isFree)
    throw fail('vault.path_outside');
  await sealWhereItIs(absolute);
  const file_hash = await hashFile(absolute);
  const file_size = contentSizeOf(absolute);
  const page_count = file_hash === row.file_hash ? row.page_count : null;
  db.transaction(() =>
    repository.update(id, { file_path: vaultPath, file_size, file_hash, page_count, updated_at: now(deps) }),
  );
  notifyChanged(deps, [id]);
}

/**
 * Replaces the file of a document; the old file goes to the trash. Content of another document that the user may know
 * about is refused, as it is at upload.
 * @throws `document.file_taken`
 */
export async function replaceFile(deps: FileActionDeps, id: number, receive: Receive, user: UserCaller): Promise<void> {
  const { db, vault, access, repository, intake } = deps;
  requireIdleDocument(deps, id);
  const file = await receive();
  try {
    const row = requireIdleDocument(deps, id);
    requireSameExtension(row, file.filename);
    const taken = repository
      .byHash(file.hash)
      .find((other) => other.id !== id && access.may(user, 'read', belongingOf(other)));
    if (taken) throw fail('document.file_taken', { name: taken.original_filename });
    const kind = await intake.identify(file.path, file.size, file.filename);
    await intake.check(file.path, kind);
    vault.transaction(() => {
      if (lstatOrNull(vault.resolve(row.file_path)) || vault.journal.hasPendingMoveTo(row.file_path))
        vault.trash.addFile(row.file_path, {
          label: row.original_filename,
          patientId: row.patient_id,
          deletedByUserId: user.userId,
          fileHash: row.file_hash,
        });
      vault.journal.planMove(file.path, row.file_path);
      repository.update(id, {
        file_size: file.size,
        file_hash: file.hash,
        mime_type: kind.mime,
        // Whose the former pages are was decided, not whose these are, nor how many.
        ...(file.hash !== row.file_hash && {
          page_count: null,
          edited_fields: row.edited_fields?.filter((field) => field !== 'patient_id') ?? null,
        }),
        updated_at: now(deps),
      });
      reindexDocument(db, id);
    });
    notifyChanged(deps, [id]);
  } finally {
    vault.discard(file.path);
  }
}

const belongingOf = (row: Pick<DocumentRecord, 'patient_id' | 'uploaded_by_user_id'>) => ({
  patientId: row.patient_id,
  uploaderId: row.uploaded_by_user_id,
});

/** Changes how pages are displayed and queues the document for reading; the stored file is not changed. */
export async function rotatePages(
  deps: FileActionDeps,
  id: number,
  degrees: Degrees,
  only: number[] | undefined,
): Promise<void> {
  const { db, vault, repository, pages, queue } = deps;
  const row = requireIdleDocument(deps, id);
  const kind = kindOfMime(row.mime_type)?.kind;
  if (kind !== 'pdf' && kind !== 'image') throw fail('document.not_rotatable');
  const absolute = vault.resolve(row.file_path);
  if (!lstatOrNull(absolute)) throw fail('document.file_missing');
  const count = row.page_count ?? (await pages.inspect(absolute, row.mime_type)).pages;
  const beyond = only?.find((page) => page > count);
  if (beyond !== undefined) throw fail('document.page_not_found', { page: beyond });
  const turns: Record<string, PageTurn> = { ...(row.page_turns as Record<string, PageTurn> | null) };
  for (const page of only ?? Array.from({ length: count }, (_, index) => index + 1)) {
    turns[page] = ((turnOfPage(repository, row, page) + degrees + 360) % 360) as PageTurn;
  }
  db.transaction(() => {
    repository.update(id, { page_turns: turns, updated_at: now(deps) });
    queue.enqueue({ kind: 'reprocess', documentId: id, size: 0, options: { mode: 'both' } });
    repository.setStatus(id, 'pending', now(deps));
  });
  notifyChanged(deps, [id]);
  queue.wake();
}

/** Vault paths of regular files; symbolic links are not followed. */
async function* filesBelow(vault: Vault, folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(vault.root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(vault, path);
    else if (entry.isFile() && extname(entry.name) !== '.part') yield path;
  }
}
