import { mkdirSync } from 'node:fs';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { ARTIFACTS } from '../../src-shared/contract/phone-backups/artifacts.ts';
import { artifactSource } from '../../src-shared/ios-backup/artifacts/backup-source.ts';
import { createPeople } from '../../src-shared/ios-backup/artifacts/people.ts';
import { READERS } from '../../src-shared/ios-backup/artifacts/readers.ts';
import type { RowsByTable, TableName } from '../../src-shared/contract/phone-backups/artifact-table.ts';
import { openBackup } from '../../src-shared/ios-backup/index.ts';
import { generateBackup, type EntrySpec } from '../fixtures/ios-backup/generate.ts';

type Rows = { [T in TableName]?: RowsByTable[T][] };

/** What the readers found: rows by table, skipped rows, and how many rows they expected. */
export interface FoundArtifacts {
  rows: Rows;
  skipped: number;
  expected: number;
}

/** Makes an encrypted backup of these entries in `folder` and reads every artifact of it. */
export async function readArtifacts(entries: EntrySpec[], folder: string, sandbox: string): Promise<FoundArtifacts> {
  mkdirSync(sandbox);
  await generateBackup({ folder, entries, keybag: { password: 'wort', firstRounds: 2 } });
  const files = nodeBackupFiles(folder);
  const backup = await (await openBackup({ files, sqlite: nodeSqlite(sandbox), crypto: nodeCrypto })).unlock('wort');
  const source = artifactSource(backup, files);
  const people = createPeople();
  const rows: Record<string, unknown[]> = {};
  let skipped = 0,
    expected = 0;
  for (const name of ARTIFACTS) {
    for await (const batch of READERS[name].read(source, {
      people,
      expect: (n) => {
        expected += n;
      },
      skip: () => {
        skipped += 1;
      },
    }))
      (rows[batch.table] ??= []).push(...batch.rows);
  }
  await backup.lock();
  return { rows: rows as Rows, skipped, expected };
}
