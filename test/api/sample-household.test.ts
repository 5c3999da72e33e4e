import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEOPLE } from '../fixtures/demo/people.ts';
import { EPISODES, PAPERS, SHARED_KNEE } from '../fixtures/demo/story.ts';
import { Client } from '../support/client.ts';
import { SERVE } from '../support/program.ts';

const place = mkdtempSync(join(tmpdir(), 'hearth-sample-test-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Started {
  child: ChildProcess;
  /** All lines so far. */
  said(): string;
  url: string;
}

/** Starts the program as `npm start` does, with temporary files and configuration in `place`. */
function start(args: readonly string[]): { child: ChildProcess; said: () => string; complaints: () => string } {
  const child = spawn(process.execPath, [SERVE, '--log-to-file', '--phone-backups-port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: place, APPDATA: place, TMPDIR: place, TEMP: place, TMP: place },
  });
  let out = '',
    errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return { child, said: () => out, complaints: () => errors };
}

async function startListening(args: readonly string[]): Promise<Started> {
  const { child, said, complaints } = start([...args, '--port', '0']);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const address = /listens on (http:\S+)\n/.exec(said())?.[1];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${complaints()}`)));
  });
  expect(complaints()).toBe('');
  return { child, said, url };
}

const temporaryVaults = (): string[] => readdirSync(place).filter((name) => name.startsWith('hearth-demo-'));

async function endWithCtrlC(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit') as Promise<[number | null]>;
  // The terminal sends it to the whole group, and npm start passes it on.
  child.kill('SIGINT');
  child.kill('SIGINT');
  const [code] = await ended;
  return code;
}

describe('npm start -- --demo', () => {
  let demo: Started, person: Client;
  beforeAll(async () => {
    demo = await startListening(['--demo']);
    person = new Client(demo.url);
    await person.post('/api/auth/login', { username: 'demo', password: 'demo' });
  });

  it('says in sentences how to enter it, and nothing else', () => {
    expect(demo.said()).toBe(
      `Opening the sample household.\nHearth listens on ${demo.url}\n` +
        'Sign in as demo with the password demo. Nothing that you change is kept.\n' +
        'The phone backup opens with the passphrase “sunflower lake”.\nPress Ctrl+C to stop.\n',
    );
  });

  it('has the papers of the build step: sixty of four people over eight years in four languages', async () => {
    const { items, total } = (await person.get('/api/documents?limit=500')).body;
    expect(total).toBe(60);
    const filenames = items.map((item: { original_filename: string }) => item.original_filename);
    expect(filenames.sort()).toEqual(PAPERS.map(({ file }) => file).sort());
    expect(items.filter((item: { status: string }) => item.status === 'failed')).toEqual([]);
    const dates = items
      .map((item: { event_date: string | null }) => item.event_date)
      .filter(Boolean)
      .sort();
    expect(Number(dates.at(-1).slice(0, 4)) - Number(dates[0].slice(0, 4))).toBe(8);
    const people = (await person.get('/api/patients')).body.map((one: { display_name: string }) => one.display_name);
    expect(people.sort()).toEqual(
      Object.values(PEOPLE)
        .map(({ name }) => name)
        .sort(),
    );
    const languages = new Set<string>();
    for (const { id } of items) languages.add((await person.get(`/api/documents/${id}`)).body.language_source);
    expect([...languages].sort()).toEqual(['de', 'en', 'fr', 'it']);
    const forms = Object.groupBy(PAPERS, ({ form }) => form);
    expect(forms.photo?.length).toBe(2);
    expect(forms.scan?.length).toBeGreaterThan(5);
  });

  it('asks whose one paper is, and marks one doubtful value', async () => {
    const { questions, results_total: doubtful } = (await person.get('/api/review')).body;
    expect(questions).toEqual([
      expect.objectContaining({
        name: 'Claire Morandi',
        chosen: expect.objectContaining({ display_name: 'Daniel Morandi' }),
      }),
    ]);
    expect(doubtful).toBe(1);
  });

  it('has events, and follow-ups of which one is overdue and others are ahead', async () => {
    const { items } = (await person.get('/api/events')).body;
    expect(items.map(({ title }: { title: string }) => title).sort()).toEqual(
      EPISODES.map(({ event }) => event.title).sort(),
    );
    for (const event of items) expect(event.document_count, event.title).toBeGreaterThan(1);
    const { follow_ups: followUps } = (await person.get('/api/today')).body;
    const today = new Date().toISOString().slice(0, 10);
    const dates = followUps.map((one: { follow_up_date: string }) => one.follow_up_date);
    expect(dates.filter((date: string) => date < today)).toHaveLength(1);
    expect(dates.filter((date: string) => date >= today).length).toBeGreaterThan(2);
  });

  it('has a study with its report, whose pictures are drawn, and a share that has ended', async () => {
    const { items } = (await person.get('/api/imaging')).body;
    expect(items).toEqual([
      expect.objectContaining({ modality: 'MR', patient_name: PEOPLE.daniel.name, report_status: 'attached' }),
    ]);
    const { series } = (await person.get(`/api/imaging/${items[0].id}`)).body;
    expect(series.map((one: { num_images: number }) => one.num_images)).toEqual([22, 18]);
    const picture = await person.get(`/api/imaging/${items[0].id}/series/${series[0].id}/frame/10`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    const [share, ...others] = (await person.get('/api/shares')).body;
    expect(others).toEqual([]);
    expect(share).toMatchObject({ recipient_label: SHARED_KNEE.recipient, document_count: SHARED_KNEE.files.length });
    expect(share.expires_at < new Date().toISOString()).toBe(true);
    const { body: told } = await person.get(`/api/shares/${share.share_id}/audit`);
    const actions = told.audit.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === 'view_doc')).toHaveLength(SHARED_KNEE.files.length);
  });

  it('has a phone backup that the service unlocks with the passphrase shown', async () => {
    const sample = (await person.get('/api/sample')).body.open;
    expect(demo.said()).toContain(`“${sample.phone_passphrase}”`);
    const { backups } = (await person.get('/api/phone/backups')).body;
    expect(backups).toEqual([expect.objectContaining({ is_encrypted: true })]);
    const { status } = await person.post(`/api/phone/backups/${backups[0].id}/unlock`, {
      password: sample.phone_passphrase,
    });
    expect(status).toBe(200);
  });

  it('ends with Ctrl+C and leaves nothing behind', async () => {
    expect(temporaryVaults()).toHaveLength(1);
    expect(await endWithCtrlC(demo.child)).toBe(0);
    expect(temporaryVaults()).toEqual([]);
  });
});

describe('the first run', () => {
  /** Resolves when the core has restarted with the sample household open or closed. */
  const waitForSample = (person: Client, isOpen: boolean): Promise<void> =>
    expect
      .poll(async () => (await person.get('/api/sample').catch(() => null))?.body.open, { interval: 50 })
      .toEqual(isOpen ? expect.objectContaining({ username: 'demo' }) : null);

  it('opens the sample household under its address, and the empty vault again', async () => {
    const vault = join(place, 'own');
    const { child, url } = await startListening(['--vault', vault]);
    const person = new Client(url);
    expect((await person.get('/api/sample')).body).toEqual({ open: null, can_open: true, failed: null });
    expect((await person.post('/api/sample/close')).status).toBe(401);
    const german = { 'Accept-Language': 'de-CH,de;q=0.9,en;q=0.8' };
    expect((await person.call('POST', '/api/sample/open', undefined, german)).status).toBe(202);
    await waitForSample(person, true);
    expect((await person.post('/api/sample/open')).body.code).toBe('setup.already_completed');
    expect((await person.get('/api/setup/status')).body.needs_setup).toBe(false);
    await person.post('/api/auth/login', { username: 'demo', password: 'demo' });
    expect((await person.get('/api/documents?limit=1')).body.total).toBe(60);
    // The household names its events in the language of whoever opens it.
    const titles = (await person.get('/api/events')).body.items.map(({ title }: { title: string }) => title);
    expect(titles).toContain('Schilddrüse');
    expect(titles).not.toContain('Thyroid');

    expect((await person.post('/api/sample/close')).status).toBe(202);
    await waitForSample(person, false);
    await expect.poll(temporaryVaults).toEqual([]);
    expect((await person.get('/api/auth/me')).status).toBe(401);
    expect((await person.get('/api/setup/status')).body).toMatchObject({ needs_setup: true, vault_path: vault });
    await person.setup();
    expect((await person.get('/api/documents?limit=1')).body.total).toBe(0);
    expect((await person.get('/api/sample')).body.can_open).toBe(false);
    expect((await person.post('/api/sample/open')).body.code).toBe('setup.already_completed');
    expect((await person.post('/api/sample/close')).body.code).toBe('sample.not_open');

    const second = start(['--vault', join(place, 'second'), '--port', new URL(url).port]);
    expect(await once(second.child, 'exit')).toEqual([1, null]);
    expect(second.complaints()).toMatch(/^Port \d+ is in use\. [^{}\n]+\n$/);
    expect(await endWithCtrlC(child)).toBe(0);
  });

  it('does not offer it where other computers reach Hearth, because everybody knows its password', async () => {
    const { child, url } = await startListening(['--vault', join(place, 'open'), '--host', '0.0.0.0']);
    const person = new Client(url.replace('0.0.0.0', '127.0.0.1'));
    expect((await person.get('/api/sample')).body.can_open).toBe(false);
    expect((await person.post('/api/sample/open')).body.code).toBe('sample.unavailable');
    expect(await endWithCtrlC(child)).toBe(0);
  });
});

it('tells in a sentence that the port of the phone service is taken, and keeps the log line for the file', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { child, said } = await startListening(['--vault', join(place, 'ports'), '--phone-backups-port', String(port)]);
  expect(said()).toContain(`Port ${port} is in use, so other programs cannot reach phone backups.`);
  expect(await endWithCtrlC(child)).toBe(0);
  const [log = ''] = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('hearth.log'),
  );
  expect(readFileSync(join(place, log), 'utf8')).toContain('"code":"EADDRINUSE"');
  taken.close();
});
