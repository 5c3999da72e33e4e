import { lstat, readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { LiveMessage } from '../../../../src-shared/contract/live.ts';
import type { PageTurn } from '../../../../src-shared/medical/page.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { UserCaller } from '../../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { hashFile } from '../../../platform/vault/hash.ts';
import { DOCUMENT_FOLDERS } from '../../../platform/vault/layout.ts';
import { isVaultPath, lstatOrNull } from '../../../platform/vault/paths.ts';
import type { ReceivedFile, Vault } from '../../../platform/vault/vault.ts';
import { extensionOf, kindOfMime } from '../intake/file-type.ts';
import type { Intake } from '../intake/intake.ts';
import { turnOfPage } from './page-turn.ts';
import type { PageTools } from '../../../reading/providers/page/page-tools.ts';
import type { ReadingQueue } from '../ports.ts';
import { reindexDocument } from '../list/text-index.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

export interface FileActionDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  repository: WriteRepository;
  intake: Intake;
  pages: PageTools;
  queue: ReadingQueue;
  announce: (message: LiveMessage) => void;
  changed: () => void;
}

interface Candidate {
  vault_path: string;
  size: number;
  modified_at: string;
}
const CANDIDATES_SHOWN = 50;

export type FileActions = ReturnType<typeof createFileActions>;

/** What a person does with the file behind a document. */
export function createFileActions({
  db,
  vault,
  clock,
  access,
  repository,
  intake,
  pages,
  queue,
  announce,
  changed,
}: FileActionDeps) {
  const now = (): string => toTimestamp(clock.now());
  const mustGet = (id: number): DocumentRecord => {
    const row = repository.get(id);
    if (!row) throw fail('document.not_found');
    if (queue.isReading(id)) throw fail('document.busy');
    return row;
  };
  const told = (row: DocumentRecord): void => {
    changed();
    announce({
      kind: 'document',
      document_id: row.id,
      patient_id: row.patient_id,
      status: repository.get(row.id)?.status ?? null,
      change: 'updated',
    });
  };
  const requireSameExtension = (row: DocumentRecord, name: string): void => {
    const [expected, actual] = [extensionOf(row.file_path), extensionOf(name)];
    if (expected !== actual)
      throw fail('document.extension_differs', {
        expected: `.${expected}`,
        actual: actual ? `.${actual}` : 'without extension',
      });
  };

  return {
    /** Files of the vault with the document's name that no other document has, in folders that are the caller's to change. */
    async findCandidates(id: number, user: UserCaller): Promise<{ candidates: Candidate[] }> {
      const row = repository.get(id);
      if (!row) throw fail('document.not_found');
      const names = new Set([row.original_filename, basename(row.file_path)].map((name) => name.toLowerCase()));
      const candidates: Candidate[] = [];
      for (const folder of DOCUMENT_FOLDERS) {
        for await (const path of filesBelow(vault, folder)) {
          if (
            !names.has(basename(path).toLowerCase()) ||
            !isVaultPath(path) ||
            (path !== row.file_path && (vault.knows(path) || !access.mayReach(user, 'write', path)))
          )
            continue;
          const { size, mtimeMs } = await lstat(vault.resolve(path));
          candidates.push({ vault_path: path, size, modified_at: toTimestamp(mtimeMs) });
          if (candidates.length === CANDIDATES_SHOWN) return { candidates };
        }
      }
      return { candidates };
    },

    async relink(id: number, vaultPath: string, user: UserCaller): Promise<void> {
      const row = mustGet(id);
      requireSameExtension(row, vaultPath);
      const absolute = vault.resolve(vaultPath);
      const entry = lstatOrNull(absolute);
      const isFree =
        vaultPath === row.file_path || (!vault.knows(vaultPath) && access.mayReach(user, 'write', vaultPath));
      if (!DOCUMENT_FOLDERS.some((folder) => vaultPath.startsWith(`${folder}/`)) || !entry?.isFile() || !isFree)
        throw fail('vault.outside');
      const file_hash = await hashFile(absolute);
      db.transaction(() =>
        repository.update(id, { file_path: vaultPath, file_size: entry.size, file_hash, updated_at: now() }),
      );
      told(row);
    },

    /** The old file goes to the trash, the new one takes its place. */
    async replaceFile(
      id: number,
      receive: () => Promise<ReceivedFile & { filename: string }>,
      user: UserCaller,
    ): Promise<void> {
      mustGet(id);
      const file = await receive();
      try {
        const row = mustGet(id);
        requireSameExtension(row, file.filename);
        const kind = await intake.identify(file.path, file.size, file.filename);
        await intake.check(file.path, kind);
        vault.change(() => {
          if (lstatOrNull(vault.resolve(row.file_path)) || vault.journal.brings(row.file_path))
            vault.trash.takeFile(row.file_path, {
              label: row.original_filename,
              patientId: row.patient_id,
              deletedByUserId: user.userId,
              fileHash: row.file_hash,
            });
          vault.journal.promise(file.path, row.file_path);
          repository.update(id, {
            file_size: file.size,
            file_hash: file.hash,
            mime_type: kind.mime,
            updated_at: now(),
          });
          reindexDocument(db, id);
        });
        told(row);
      } finally {
        vault.discard(file.path);
      }
    },

    /** Turns pages as they are shown and queues their reading; the stored file stays as it is. */
    async rotate(id: number, degrees: 90 | 180 | 270 | -90, only: number[] | undefined): Promise<void> {
      const row = mustGet(id);
      const kind = kindOfMime(row.mime_type)?.kind;
      if (kind !== 'pdf' && kind !== 'image') throw fail('document.not_rotatable');
      const absolute = vault.resolve(row.file_path);
      if (!lstatOrNull(absolute)) throw fail('document.file_missing');
      const count = row.page_count ?? (await pages.inspect(absolute, row.mime_type)).pages;
      const beyond = only?.find((page) => page > count);
      if (beyond !== undefined) throw fail('document.no_page', { page: beyond });
      const turns: Record<string, PageTurn> = { ...(row.page_turns as Record<string, PageTurn> | null) };
      for (const page of only ?? Array.from({ length: count }, (_, index) => index + 1)) {
        turns[page] = ((turnOfPage(repository, row, page) + degrees + 360) % 360) as PageTurn;
      }
      db.transaction(() => {
        repository.update(id, { page_turns: turns, updated_at: now() });
        queue.enqueue({ kind: 'reprocess', documentId: id, size: 0, options: { mode: 'both' } });
        repository.setStatus(id, 'pending', now());
      });
      told(row);
      queue.wake();
    },
  };
}

/** Vault paths of plain files, without following links. */
async function* filesBelow(vault: Vault, folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(vault.root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(vault, path);
    else if (entry.isFile() && extname(entry.name) !== '.part') yield path;
  }
}
