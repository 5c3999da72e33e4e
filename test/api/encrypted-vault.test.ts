/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyFile } from '../../src-main/platform/sealed/key-file.ts';
import { isPlain } from '../support/plain-bytes.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { slice } from '../fixtures/dicom/disc.ts';
import { zip } from '../support/broken-files.ts';
import { letter, scanned } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const WORD = 'zanthoxylum';
let vault: string, passwordFile: string, served: Served, admin: Client, paper: Uint8Array;

beforeAll(async () => {
  vault = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  passwordFile = `${vault}.password`;
  writeFileSync(passwordFile, 'correct horse battery\n');
  writeFileSync(join(vault, 'vault-key.json'), JSON.stringify((await createKeyFile('correct horse battery')).file));
  served = await serve({ vault, env: { HEARTH_VAULT_PASSWORD_FILE: passwordFile } });
  admin = new Client(served.url);
  await admin.setup();
  paper = await letter([[{ text: `A page about ${WORD}`, y: 100 }]]);
});
afterAll(async () => {
  await served?.remove();
  rmSync(passwordFile, { force: true });
});

/** Files whose bytes hold the word in the clear, in any encoding that a paper or a database uses. */
const leaks = (): string[] =>
  readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isPlain(path, [WORD, WORD.toUpperCase()]));

it('reads, searches, shows and sends a paper, and holds nothing of it in the clear', async () => {
  const { body } = await admin.upload(paper, `${WORD}.pdf`, 1);
  await admin.idle();
  const path = `/api/documents/${body.document_id}`;
  expect(['done', 'needs_review']).toContain((await admin.get(path)).body.status);
  expect((await admin.get(`/api/documents?q=${WORD}`)).body.items).toHaveLength(1);
  for (const part of ['/thumbnail', '/pages/1/image?width=200', '/file']) {
    const response = await fetch(served.url + path + part, { headers: { cookie: admin.cookie } });
    expect([part, response.status]).toEqual([part, 200]);
    if (part === '/file') expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(paper))).toBe(true);
  }
  const range = await fetch(`${served.url}${path}/file`, { headers: { cookie: admin.cookie, range: 'bytes=3-9' } });
  expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 3-9/${paper.length}`]);
  expect(Buffer.from(await range.arrayBuffer()).equals(Buffer.from(paper.subarray(3, 10)))).toBe(true);
  expect(leaks()).toEqual([]);
  expect(() => execFileSync('grep', ['-rl', WORD, vault])).toThrow();
});

const found = async (): Promise<number> => (await admin.get(`/api/documents?q=${WORD}&limit=50`)).body.items.length;

it('scans that are read by OCR, archives and papers of the inbox are sealed as well', async () => {
  const before = await found();
  expect((await admin.upload(await scanned([`Report about ${WORD}`, 'Page one']), 'scan.png', 1)).status).toBe(201);
  const inArchive = await letter([[{ text: `An archived page about ${WORD}`, y: 120 }]]);
  await admin.upload(zip([{ name: 'archived.pdf', content: Buffer.from(inArchive) }]), 'papers.zip', 1);
  const dropped = await letter([[{ text: `A dropped page about ${WORD}`, y: 140 }]]);
  mkdirSync(join(vault, 'inbox/elena-keller'), { recursive: true });
  writeFileSync(join(vault, 'inbox/elena-keller/dropped.pdf'), dropped);
  await expect.poll(found, { timeout: 60_000, interval: 500 }).toBe(before + 3);
  await admin.idle();
  expect(leaks()).toEqual([]);
}, 120_000);

it('imaging is stored, drawn and exported without anything in the clear, and listed with its own size', async () => {
  const image = slice({ study: '1.7', patient: `${WORD}^Elena` });
  const { body } = await admin.upload(image, 'IM000001', 1);
  const { study_id: id } = body.studies[0];
  const study = (await admin.get(`/api/imaging/${id}`)).body;
  const stored = readdirSync(join(vault, study.series[0].folder_path));
  expect(statSync(join(vault, study.series[0].folder_path, stored[0]!)).size).toBeGreaterThan(image.length);
  const tree = (await admin.get(`/api/vault/tree?path=${encodeURIComponent(study.series[0].folder_path)}`)).body;
  expect(tree.size).toBe(image.length);
  const disc = await fetch(`${served.url}/api/imaging/export?ids=${id}`, { headers: { cookie: admin.cookie } });
  expect(disc.status).toBe(200);
  expect(Buffer.from(await disc.arrayBuffer()).includes('DICOMDIR')).toBe(true);
  expect(leaks()).toEqual([]);
});

it('the command line, assistants and share mode open it with the password, and say what is missing without it', async () => {
  const unlocked = { HEARTH_VAULT_PASSWORD_FILE: passwordFile };
  const wrong = `${vault}.wrong`;
  writeFileSync(wrong, 'another horse');
  expect(await hearth(['verify', '--vault', vault], unlocked)).toEqual({
    code: 0,
    said: expect.stringContaining('all intact'),
  });
  // Standard input ends at once, and so does the program.
  expect((await hearth(['mcp', '--vault', vault], unlocked)).code).toBe(0);
  const door = await serve({ vault, args: ['--mode', 'share'], env: unlocked });
  expect((await fetch(door.url)).status).toBeLessThan(500);
  await door.stop();
  const locked: Record<string, string>[] = [{}, { HEARTH_VAULT_PASSWORD_FILE: wrong }];
  for (const env of locked)
    for (const words of [['verify'], ['mcp'], ['serve', '--mode', 'share', '--port', '0']]) {
      const { code, said } = await hearth([...words, '--vault', vault], env);
      expect([words, code, said]).toEqual([words, 1, expect.stringContaining('This vault is encrypted. Write its')]);
      expect(said).not.toContain('    at ');
    }
  rmSync(wrong);
}, 120_000);
