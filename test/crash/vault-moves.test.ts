import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { randomFrom } from '../fixtures/corpus/random.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { launch } from './launch.ts';

const KILLS = 12,
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

test('a program that is killed while folders and files move loses none of them, and rows and disk agree', async () => {
  const place = mkdtempSync(join(tmpdir(), 'hearth-moves-'));
  const vault = join(place, 'vault');
  mkdirSync(vault);
  const random = randomFrom('moves');
  let answered = 0,
    cutOff = 0;
  try {
    const cookie = await fill(vault);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const program = launch(vault);
      const url = await program.ready;
      if (url === null) throw new Error(`the program did not start: ${program.log()}`);
      const client = new Client(url);
      client.cookie = cookie;
      const gone = new Promise<void>((resolve) =>
        setTimeout(
          () => {
            program.kill('SIGKILL');
            resolve();
          },
          random.int(20, 420),
        ),
      );
      let alive = true;
      void gone.then(() => {
        alive = false;
      });
      for (let n = 0; alive; n += 1) {
        const top = (await client.get('/api/vault/tree?path=patients/elena-keller&depth=2').catch(() => null))?.body
          .children as { path: string; children: { path: string }[] }[] | undefined;
        if (!top || top.length === 0) break;
        const folder = random.pick(top);
        const from =
          random.chance(0.5) || folder.children.length === 0 ? folder.path : random.pick(folder.children).path;
        const to = `patients/elena-keller/place-${kill}-${n}`;
        const done = await client
          .post('/api/vault/move', { from_path: from, to_path: random.chance(0.3) ? `${to}/below` : to })
          .catch(() => null);
        if (done?.status === 200) answered += 1;
        else cutOff += 1;
      }
      await gone;
      await program.ended;
    }
    // The last start carries out what was promised.
    const program = launch(vault);
    await program.ready;
    program.kill('SIGTERM');
    await program.ended;
    const db = new Sqlite(join(vault, 'vault.db'), { readonly: true });
    const rows = db.prepare('SELECT file_path, original_filename FROM documents').all() as {
      file_path: string;
      original_filename: string;
    }[];
    expect(
      rows.filter(
        ({ file_path, original_filename }) =>
          !existsSync(join(vault, file_path)) ||
          readFileSync(join(vault, file_path), 'utf8') !== `page ${Number.parseInt(original_filename, 10)}`,
      ),
    ).toEqual([]);
    expect([rows.length, db.prepare('SELECT count(*) FROM vault_journal').pluck().get()]).toEqual([DOCUMENTS, 0]);
    db.close();
    expect(await hearth(['verify', '--vault', vault])).toMatchObject({
      code: 0,
      said: expect.stringContaining('all whole'),
    });
    expect(answered).toBeGreaterThan(KILLS);
    expect(cutOff).toBeGreaterThan(0);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
