import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveFiles } from '../../src-main/app/desktop/file-port.ts';
import { nodeCrypto } from '../../src-main/features/phone-backups/adapters/crypto.ts';
import { nodeBackupFiles } from '../../src-main/features/phone-backups/adapters/files.ts';
import { nodeSqlite } from '../../src-main/features/phone-backups/adapters/sqlite.ts';
import { shellFiles } from '../../src-renderer/features/phone-backups/worker/ios-backup/shell-files.ts';
import { MAX_RANGE_BYTES } from '../../src-shared/contract/bridge.ts';
import { openBackup, type BackupFiles } from '../../src-shared/ios-backup/index.ts';
import { messageChannel } from '../fakes/electron.ts';
import { generateBackup } from '../fixtures/ios-backup/generate.ts';

const BIG = Buffer.from(
  Array.from({ length: 2 * MAX_RANGE_BYTES + 70_001 }, (_, index) => (index * 31 + (index >> 12)) % 256),
);
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let root: string, folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'hearth-shell-files-'));
  folder = join(root, 'phone');
  await generateBackup({
    folder,
    keybag: { password: 'wort', firstRounds: 2 },
    entries: [
      { domain: 'HomeDomain', path: 'big.bin', content: BIG },
      { domain: 'HomeDomain', path: 'empty', content: '' },
      { domain: 'HomeDomain', path: 'gone', content: 'x', missing: true },
      { domain: 'HomeDomain', path: '../../out', content: 'words' },
    ],
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Files as the worker gets them, over a port to the shell. */
function overPort(): { files: BackupFiles; close: () => void; closed: Promise<void> } {
  const { page, main } = messageChannel();
  let tell = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { files: shellFiles(page as never, () => tell()), close: serveFiles(main, nodeBackupFiles(folder)), closed };
}
const unlocked = async (files: BackupFiles) =>
  (await openBackup({ files, sqlite: nodeSqlite(join(root, 'temp')), crypto: nodeCrypto })).unlock('wort');

it('a page reads the same over a port of the shell as the service reads from the disk', async () => {
  const read = async (files: BackupFiles) => {
    const backup = await unlocked(files);
    const { items } = await backup.entries({ limit: 100 });
    const hashes: string[] = [];
    for (const { fileId } of items)
      hashes.push(
        await backup.content(fileId).then(
          async (content) => hash(await content.read(0, content.size)),
          (error: { code: string }) => error.code,
        ),
      );
    const report = await backup.integrity();
    await backup.lock();
    return { items, hashes, report };
  };
  const { files, close } = overPort();
  const [over, direct] = [await read(files), await read(nodeBackupFiles(folder))];
  expect(over).toEqual(direct);
  expect(over.hashes).toEqual(expect.arrayContaining([hash(BIG), 'missing_blob']));
  close();
});

it('reads of the page fail with a lock when the shell closes the port', async () => {
  const { files, close, closed } = overPort();
  const reading = files.readRange('Manifest.db', 0, 100_000_000);
  close();
  await closed;
  await expect(reading).rejects.toMatchObject({ code: 'locked' });
  await expect(files.size('Manifest.db')).rejects.toMatchObject({ code: 'locked' });
});
