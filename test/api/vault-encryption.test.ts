/** @module-tag long */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHolder } from '../../src-main/platform/vault/holder.ts';
import { isPlain } from '../support/plain-bytes.ts';
import { Client } from '../support/client.ts';
import { hearth } from '../support/command.ts';
import { HEARTH } from '../support/program.ts';
import { letter, scanned } from '../support/sample-documents.ts';
import { serve, type Served } from '../support/serve.ts';

const WORD = 'zanthoxylum';
const PASSWORD = 'correct horse battery';
let folder: string, vault: string, temporary: string, env: Record<string, string>, recoveryKey: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  [vault, temporary] = [join(folder, 'vault'), join(folder, 'temporary')];
  for (const made of [vault, temporary, join(folder, 'config'), join(folder, 'backups')]) mkdirSync(made);
  env = { TMPDIR: temporary, XDG_CONFIG_HOME: join(folder, 'config') };
  const served = await serve({ vault, env });
  const ann = new Client(served.url);
  await ann.setup();
  await ann.upload(await letter([[{ text: `A page about ${WORD}`, y: 100 }]]), 'letter.pdf', 1);
  await ann.upload(await scanned([`Report about ${WORD}`, 'Page one']), 'scan.png', 1);
  await ann.idle();
  const [first] = (await ann.get('/api/documents')).body.items;
  await fetch(`${served.url}/api/documents/${first.id}/thumbnail`, { headers: { cookie: ann.cookie } });
  await served.stop();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `hearth vault VERB` and answers its questions; `answer` may use what was said so far. */
function run(
  words: string[],
  answers: ((said: string) => string | null)[],
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [HEARTH, 'vault', ...words, '--vault', vault], {
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const next = answers[0]?.(said);
      if (next === null || next === undefined) return;
      answers.shift();
      child.stdin.write(`${next}\n`);
    });
  child.stdin.on('error', () => undefined);
  const [first] = answers;
  for (let line = first?.(''); line !== null && line !== undefined; line = answers[0]?.('')) {
    answers.shift();
    child.stdin.write(`${line}\n`);
  }
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, said })));
}
const type = (line: string) => (): string => line;
const keyIn = (said: string): string | null => /^ {2}(\w{5}(?:-\w{5}){10}-\w+)$/m.exec(said)?.[1] ?? null;

const leaks = (): string[] =>
  [vault, temporary, join(folder, 'config'), join(folder, 'backups')]
    .flatMap((place) => readdirSync(place, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isPlain(path, [WORD]));
const titles = async (served: Served): Promise<number> => {
  const ann = new Client(served.url);
  await ann.post('/api/auth/login', { username: 'ann', password: PASSWORD });
  const found = (await ann.get(`/api/documents?q=${WORD}`)).body.items;
  for (const { id } of found) {
    const file = await fetch(`${served.url}/api/documents/${id}/file`, { headers: { cookie: ann.cookie } });
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(500);
  }
  return found.length;
};

/** Reads a paper by OCR, and shows, finds and backs it up. */
async function useAll(served: Served): Promise<void> {
  const ann = new Client(served.url);
  await ann.post('/api/auth/login', { username: 'ann', password: PASSWORD });
  const { body } = await ann.upload(await scanned([`Second report about ${WORD}`, 'Page one']), 'second.png', 1);
  await ann.idle();
  for (const part of ['/thumbnail', '/pages/1/image?width=200']) {
    const path = `/api/documents/${body.document_id}${part}`;
    expect((await fetch(served.url + path, { headers: { cookie: ann.cookie } })).status).toBe(200);
  }
  expect((await ann.get(`/api/documents?q=${WORD}`)).body.items).toHaveLength(3);
  const plan = { every: 'off', at: '03:30', keep_daily: 2, keep_weekly: 0, keep_monthly: 0, include_secrets: true };
  await ann.call('PUT', '/api/settings/backup/plan', { ...plan, folder: join(folder, 'backups') });
  await ann.post('/api/settings/backup/run');
  const files = (): Promise<{ running: unknown; items: { status: string }[] }> =>
    ann.get('/api/settings/backup/files').then((reply) => reply.body);
  await expect.poll(async () => (await files()).running, { timeout: 60_000, interval: 200 }).toBeNull();
  expect((await files()).items[0]?.status).toBe('done');
  expect(existsSync(join(folder, 'config/hearth/hearth.log'))).toBe(true);
}

it('changes nothing without a good password and the recovery key typed back', async () => {
  expect(await run(['status'], [])).toMatchObject({ code: 0, said: expect.stringContaining('is not encrypted') });
  expect(leaks().length).toBeGreaterThan(3);
  for (const [answers, words] of [
    [[type('short'), type('short')], 'at least 12|12 to 256'],
    [[type(PASSWORD), type('another horse battery')], 'differ'],
    [[type(PASSWORD), type(PASSWORD), type('AAAAA-BBBBB')], 'not the recovery key'],
  ] as const) {
    const { code, said } = await run(['encrypt'], [...answers]);
    expect([code, said]).toEqual([1, expect.stringMatching(words)]);
    expect(existsSync(join(vault, 'vault-key.json'))).toBe(false);
  }
});

it('encrypts a vault, leaves nothing of it in the clear, and opens it with the password', async () => {
  const before = leaks().length;
  expect(before).toBeGreaterThan(3);
  let claimedBy: string | undefined;
  const typeBack = (printed: string): string | null => {
    const key = keyIn(printed);
    if (key !== null) claimedBy = readHolder(vault)?.host;
    return key;
  };
  const { code, said } = await run(['encrypt'], [type(PASSWORD), type(PASSWORD), typeBack]);
  expect([code, said]).toEqual([0, expect.stringContaining('The vault is encrypted.')]);
  // Other computers see that it is in use meanwhile.
  expect([claimedBy, readHolder(vault)]).toEqual([hostname(), null]);
  expect(said).toContain('names of folders and files');
  recoveryKey = keyIn(said)!;
  expect(leaks()).toEqual([]);
  expect(await run(['status'], [])).toMatchObject({ said: expect.stringContaining('The vault is encrypted.') });
  expect(await run(['encrypt'], [])).toMatchObject({ code: 1, said: expect.stringContaining('already') });
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  const served = await serve({
    ...{ vault, args: ['--log-to-file'] },
    env: { ...env, HEARTH_VAULT_PASSWORD_FILE: passwordFile, VAULT_LOG_LEVEL: 'debug' },
  });
  expect(await titles(served)).toBe(2);
  await useAll(served);
  const open = await run(['decrypt'], [type(PASSWORD)]);
  expect([open.code, open.said]).toEqual([1, expect.stringContaining('open')]);
  const running = leaks();
  await served.stop();
  expect([running, leaks()]).toEqual([[], []]);
  expect(await hearth(['verify', '--vault', vault], { HEARTH_VAULT_PASSWORD_FILE: passwordFile })).toMatchObject({
    ...{ code: 0, said: expect.stringContaining('all intact') },
  });
}, 60_000);

it('changes a forgotten password by the recovery key', async () => {
  expect(await run(['password'], [type('wrong horse battery')])).toMatchObject({ code: 1 });
  const fresh = 'heather on the slope';
  const { code, said } = await run(['password'], [type(recoveryKey), type(fresh), type(fresh)]);
  expect([code, said]).toEqual([0, expect.stringContaining('The password is changed')]);
  expect(await run(['decrypt'], [type(PASSWORD)])).toMatchObject({ code: 1 });
});

it('replaces the recovery key by the password alone, once the new one was typed', async () => {
  const path = join(vault, 'vault-key.json');
  const before = readFileSync(path, 'utf8');
  const asked = type('heather on the slope');
  for (const answers of [[type(recoveryKey)], [type('wrong horse battery')], [asked, type('AAAAA-BBBBB')]])
    expect(await run(['recovery-key'], answers)).toMatchObject({ code: 1, said: expect.stringContaining('Nothing') });
  expect(readFileSync(path, 'utf8')).toBe(before);
  const { code, said } = await run(['recovery-key'], [asked, keyIn]);
  expect([code, said]).toEqual([0, expect.stringContaining('opens only backups from before')]);
  const previous = recoveryKey;
  recoveryKey = keyIn(said)!;
  expect(recoveryKey).not.toBe(previous);
  expect(await run(['decrypt'], [type(previous)])).toMatchObject({ code: 1 });
});

it('says that a switch was interrupted, opens nothing, and goes on by the command', async () => {
  const path = join(vault, 'vault-key.json');
  const on = readFileSync(path, 'utf8');
  writeFileSync(path, on.replace('"state":"on"', '"state":"encrypting"'));
  const refused = await hearth(['verify', '--vault', vault], env);
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('hearth vault encrypt')]);
  const served = await serve({ vault, env });
  const { body } = await new Client(served.url).get('/api/vault-lock');
  expect(body).toMatchObject({ is_open: false, switching: null, unfinished: 'encrypting', failed: null });
  await served.stop();
  expect(await run(['encrypt'], [type(recoveryKey)])).toMatchObject({ code: 0 });
  expect(readFileSync(path, 'utf8')).toBe(on);
});

it('undoes by the command a decryption that was interrupted, and names both commands before', async () => {
  const path = join(vault, 'vault-key.json');
  const on = readFileSync(path, 'utf8');
  writeFileSync(path, on.replace('"state":"on"', '"state":"decrypting"'));
  const { said } = await run(['status'], []);
  expect(said).toContain('Finish it with: hearth vault decrypt. Undo it with: hearth vault encrypt');
  expect(await run(['encrypt'], [type(recoveryKey)])).toMatchObject({ code: 0 });
  expect([readFileSync(path, 'utf8'), leaks()]).toEqual([on, []]);
});

it('decrypts to the same papers', async () => {
  const { id } = JSON.parse(readFileSync(join(vault, 'vault-key.json'), 'utf8'));
  const kept = join(folder, 'config/hearth', `vault-${id}.keychain`);
  writeFileSync(kept, '{}');
  expect(await run(['decrypt'], [type('heather on the slope')])).toMatchObject({ code: 0 });
  // What a keychain keeps is of no use any more.
  expect([kept, join(vault, 'vault-key.json')].filter((path) => existsSync(path))).toEqual([]);
  expect(leaks().length).toBeGreaterThan(3);
  const served = await serve({ vault, env });
  expect(await titles(served)).toBe(3);
  await served.stop();
  expect(await hearth(['verify', '--vault', vault], env)).toMatchObject({ code: 0 });
}, 60_000);
