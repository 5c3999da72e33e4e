/** @module-tag long */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateBackup } from '../fixtures/ios-backup/generate.ts';
import { LAYOUTS, type Layout, type Planted } from '../fixtures/ios-backup/layouts.ts';
import { inDepth } from '../support/depth.ts';
import { phoneClient, TOKEN, type PhoneAnswer, type PhoneClient } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

/** Usually one for each way to find blobs and keys; each takes a process of its own. */
const SOME = ['encrypted', 'encrypted-flat', 'encrypted-says-plain', 'plain-mbdb-in-folders'];
const LOOKED_AT = LAYOUTS.filter(({ name }) => inDepth(SOME.includes(name), true));

const root = mkdtempSync(join(tmpdir(), 'hearth-layouts-'));
let served: Served, phone: PhoneClient;
const table: string[] = [];
/** Files with the right bytes and all of them, by claim and remainder. */
const byPadding = new Map<string, { right: number; all: number }[]>();

beforeAll(async () => {
  for (const { name, spec } of LOOKED_AT) await generateBackup({ ...spec, folder: join(root, 'backups', name) });
  const env = { BACKUP_PATHS__BASE_PATH: join(root, 'backups'), BACKUP_PATHS__TEMP_PATH: join(root, 'temp') };
  served = await serve({ env: { ...env, SECURITY__API_TOKEN: TOKEN } });
  phone = phoneClient(served.backupsUrl);
});

afterAll(async () => {
  await served.remove();
  rmSync(root, { recursive: true, force: true });
  process.stdout.write(`${[...table, ...paddingTable()].join('\n')}\n`);
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const asAnswered = ({ status, bytes, body }: PhoneAnswer): string =>
  `${status} ${status < 300 ? sha256(bytes) : String(body?.code)}`;

/** What the service must answer to a request for a whole file, and to one for its last 17 bytes. */
function expectedOf({ served, refused }: Planted): string[] {
  if (served === null) return [String(refused)];
  // An empty file has no range.
  return [`200 ${sha256(served)}`, `${served.length === 0 ? 200 : 206} ${sha256(served.subarray(-17))}`];
}

/** All files of a layout that come otherwise than planted, and a line for the table. */
async function compare({ name, planted }: Layout, session: string): Promise<string[][]> {
  const wrong: string[][] = [];
  const reasons = new Map<string, number>();
  for (const each of planted) {
    const at = `/backups/${name}/file/${encodeURIComponent(each.fileId)}`;
    const expected = expectedOf(each);
    const answers = [asAnswered(await phone.get(at, session))];
    if (each.refused === null) answers.push(asAnswered(await phone.get(at, session, { Range: 'bytes=-17' })));
    const isRight = answers.join() === expected.join();
    if (!isRight) wrong.push([each.entry.domain, each.entry.path, ...answers, ...expected]);
    if (each.refused !== null && isRight) reasons.set(each.refused, (reasons.get(each.refused) ?? 0) + 1);
    if (each.padding) countPadding(each.padding, isRight);
  }
  const files = planted.filter(({ refused }) => refused === null).length;
  const refusals = [...reasons].map(([reason, count]) => `${count} × ${reason}`).join(', ');
  table.push(`${name.padEnd(26)} ${files - wrong.length} of ${files} files by SHA-256; refused: ${refusals}`);
  return wrong;
}

function countPadding({ claim, remainder }: NonNullable<Planted['padding']>, isRight: boolean): void {
  const row = byPadding.get(claim) ?? Array.from({ length: 16 }, () => ({ right: 0, all: 0 }));
  byPadding.set(claim, row);
  const cell = row[remainder]!;
  cell.all += 1;
  cell.right += isRight ? 1 : 0;
}

function paddingTable(): string[] {
  const line = (head: string, cells: string[]): string =>
    head.padEnd(14) + cells.map((cell) => cell.padStart(6)).join('');
  return [
    line(
      'Size · mod 16',
      Array.from({ length: 16 }, (_, remainder) => String(remainder)),
    ),
    ...[...byPadding].map(([claim, row]) =>
      line(
        claim,
        row.map(({ right, all }) => `${right}/${all}`),
      ),
    ),
  ];
}

describe('the service and generated layouts', () => {
  it('lists each of them, with what is odd about it', async () => {
    const { body } = await phone.get('/backups');
    const shown = body.backups.map(({ id, is_encrypted, problems }: Record<string, unknown>) => [
      id,
      is_encrypted,
      problems,
    ]);
    expect(shown).toHaveLength(LOOKED_AT.length);
    const PROBLEMS: Record<string, string[]> = {
      'encrypted-mbdb': ['old_format'],
      'plain-mbdb-in-folders': ['old_format'],
      'plain-flat': ['no_info_plist', 'no_status_plist'],
    };
    expect(shown).toEqual(
      expect.arrayContaining(LOOKED_AT.map(({ name, encrypted }) => [name, encrypted, PROBLEMS[name] ?? []])),
    );
  });

  it.each(LOOKED_AT)('gives every file of $name as it was planted, or the reason why not', async (layout) => {
    const session = await phone.unlock(layout.name, layout.password);
    const { body } = await phone.get(`/backups/${layout.name}/files?limit=1000`, session);
    const ids = (list: string[]): string[] => list.toSorted();
    expect(body.total).toBe(layout.planted.length);
    expect(ids(body.items.map(({ file_id }: { file_id: string }) => file_id))).toEqual(
      ids(layout.planted.map(({ fileId }) => fileId)),
    );
    expect(await compare(layout, session)).toEqual([]);
    expect((await phone.post(`/backups/${layout.name}/lock`, undefined, session)).status).toBe(200);
  });
});
