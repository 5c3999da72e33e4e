/** @module-tag long */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { randomFrom, type Random } from '../fixtures/corpus/random.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { inDepth } from '../support/depth.ts';
import { launch } from './launch.ts';

const KILLS = inDepth(6, 12),
  DOCUMENTS = 300;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A household whose patient has one folder with many documents, each in one of ten folders below. */
async function fill(vault: string): Promise<string> {
  const program = launch(vault);
  const client = new Client((await program.ready) ?? '');
  await client.setup();
  program.kill('SIGTERM');
  await program.ended;
  const db = new Sqlite(join(vault, 'vault.db'));
  const insert =
    db.prepare(`INSERT INTO documents (patient_id, file_path, original_filename, mime_type, file_size, file_hash, status, created_at, updated_at)
    VALUES (1, ?, ?, 'application/pdf', ?, ?, 'done', '2026-01-01T00:00:00', '2026-01-01T00:00:00')`);
  db.transaction(() => {
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const path = `patients/elena-keller/work/${n % 10}/${n}.pdf`,
        content = `page ${n}`;
      mkdirSync(dirname(join(vault, path)), { recursive: true });
      writeFileSync(join(vault, path), content);
      insert.run(path, `${n}.pdf`, content.length, sha256(content));
    }
  })();
  db.close();
  return client.cookie;
}

const HOME = 'patients/elena-keller';
interface Folder {
  path: string;
  children: { path: string }[];
}
interface Tally {
  answered: number;
  cutOff: number;
}

/** Moves a random folder of the patient; true when the program answered that it did. */
async function moveFolder(client: Client, random: Random, place: string): Promise<boolean> {
  const tree = (await client.get(`/api/vault/tree?path=${HOME}&depth=2`)).body.children as Folder[];
  const folder = random.pick(tree);
  const isWhole = random.chance(0.5) || folder.children.length === 0;
  const from = isWhole ? folder.path : random.pick(folder.children).path;
  const to = `${HOME}/${place}${random.chance(0.3) ? '/below' : ''}`;
  const { status } = await client.post('/api/vault/move', { from_path: from, to_path: to });
  return status === 200;
}

/**
 * Kills the program within a move: after some that it answered, and a random part of the time that the last one took.
 */
async function moveUntilKilled(vault: string, cookie: string, random: Random, kill: number): Promise<Tally> {
  const program = launch(vault);
  const url = await program.ready;
  if (url === null) throw new Error(`the program did not start: ${program.log()}`);
  const client = new Client(url);
  client.cookie = cookie;
  const tally: Tally = { answered: 0, cutOff: 0 };
  const moves = random.int(2, 6);
  let moveMs = 0;
  for (let n = 0; n < moves; n += 1) {
    const begun = performance.now();
    expect(await moveFolder(client, random, `place-${kill}-${n}`)).toBe(true);
    moveMs = performance.now() - begun;
    tally.answered += 1;
  }
  const last = moveFolder(client, random, `place-${kill}-last`).catch(() => false);
  // The first kill comes before any response, so that at least one move is interrupted on every machine.
  await new Promise((resolve) => setTimeout(resolve, kill === 0 ? 0 : random.next() * moveMs));
  program.kill('SIGKILL');
  if (await last) tally.answered += 1;
  else tally.cutOff += 1;
  await program.ended;
  return tally;
}

/** A last start, which applies the moves that the journal holds. */
async function startAndEnd(vault: string): Promise<void> {
  const program = launch(vault);
  await program.ready;
  program.kill('SIGTERM');
  await program.ended;
}

test('kills during moves lose no folder or file, and rows agree with the disk', async () => {
  const place = mkdtempSync(join(tmpdir(), 'hearth-moves-'));
  const vault = join(place, 'vault');
  mkdirSync(vault);
  const random = randomFrom('moves');
  const tallies: Tally[] = [];
  try {
    const cookie = await fill(vault);
    for (let kill = 0; kill < KILLS; kill += 1) tallies.push(await moveUntilKilled(vault, cookie, random, kill));
    await startAndEnd(vault);
    const db = new Sqlite(join(vault, 'vault.db'), { readonly: true });
    const rows = db.prepare('SELECT file_path, original_filename FROM documents').all() as {
      file_path: string;
      original_filename: string;
    }[];
    const isWrong = ({ file_path, original_filename }: (typeof rows)[number]): boolean =>
      !existsSync(join(vault, file_path)) ||
      readFileSync(join(vault, file_path), 'utf8') !== `page ${Number.parseInt(original_filename, 10)}`;
    expect(rows.filter(isWrong)).toEqual([]);
    expect([rows.length, db.prepare('SELECT count(*) FROM vault_journal').pluck().get()]).toEqual([DOCUMENTS, 0]);
    db.close();
    const verified = await hearth(['verify', '--vault', vault]);
    expect(verified).toMatchObject({ code: 0, said: expect.stringContaining('all intact') });
    expect(tallies.some(({ cutOff }) => cutOff > 0)).toBe(true);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
