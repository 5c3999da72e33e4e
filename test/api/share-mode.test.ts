import { cpSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src-main/platform/database/connection.ts';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { Client } from '../support/client.ts';
import { enter, Recipient } from '../support/recipient.ts';
import { openHousehold, type CallerName, type Household } from '../support/household.ts';
import { serve, type Served } from '../support/serve.ts';
import { EXAMPLES } from './examples.ts';
import { send } from './send.ts';

const ALL = Object.values(contract)
  .flatMap((area) => Object.values<Endpoint>(area))
  .map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]);

/** The service beside the household's own program, and another one on a copy of the same vault. */
let core: Served, served: Served, own: Served, household: Household, waiting: number, kept: string;
beforeAll(async () => {
  core = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  // Reading is stopped there.
  household = await openHousehold(core.url, core.vault);
  // Work for the household's own program: a document that waits, a file in the inbox, a trash item that expired.
  waiting = household.make.queued();
  household.db.prepare('UPDATE jobs SET not_before = created_at').run();
  household.db
    .prepare(
      "INSERT INTO trash (kind, label, rows, files, size, deleted_at) VALUES ('file', 'old', '[]', " +
        "'[]', 0, '2020-01-01T00:00:00')",
    )
    .run();
  writeFileSync(join(core.vault, 'inbox', 'letter.pdf'), household.make.pdf());
  // A link for health apps that can be opened, one that a killed process did not finish, and one that has ended.
  const share = household.make.share();
  kept = household.make.healthLink(share).id;
  household.make.healthLink(share, { file_sizes: null });
  household.make.healthLink(share, { revoked_at: '2026-01-15T08:00:00' });
  const { cookie } = household.as('keeper');
  const copy = mkdtempSync(join(tmpdir(), 'hearth-share-'));
  cpSync(core.vault, copy, { recursive: true });
  served = await serve({ vault: core.vault, args: ['--mode', 'share'] });
  own = await serve({ vault: copy });
  const keeper = new Client(own.url);
  keeper.cookie = cookie;
  await keeper.post('/api/pipeline/start');
});
afterAll(async () => {
  household.close();
  await Promise.all([served.remove(), own.remove(), core.remove()]);
});

/** A member of the household at the door for strangers. */
function stranger(name: CallerName): Client {
  const client = new Client(served.url);
  client.cookie = household.as(name).cookie;
  return client;
}

describe('the service for recipients of shares', () => {
  it.each(ALL.filter(([, { inShareMode }]) => !inShareMode))(
    'has no %s, not even for an administrator',
    async (route, { method }) => {
      const { path, answers: _answers, cookie: _cookie, ...call } = EXAMPLES[route]!(household);
      for (const name of ['keeper', 'nobody'] as const) {
        const { status, text } = await send(stranger(name), method, path, call);
        expect([name, status, /"code":"([\w.]+)"/.exec(text)?.[1]]).toEqual([name, 404, 'request.not_found']);
      }
    },
  );

  it('does not run the pipeline, the inbox, backups or the trash', async () => {
    const untouched = { waiting: 'pending', begun: 0, imported: 0, expired: 1 };
    const stateOf = (db: Database): unknown =>
      db
        .prepare(
          `SELECT (SELECT status FROM documents WHERE id = ?) AS waiting,
            (SELECT count(*) FROM jobs WHERE state <> 'queued') AS begun,
            (SELECT count(*) FROM documents WHERE original_filename = 'letter.pdf') AS imported,
            (SELECT count(*) FROM trash WHERE label = 'old') AS expired`,
        )
        .get(waiting);
    // The household's own program on the copy has done all of it.
    const db = openDatabase(join(own.vault, 'vault.db'));
    await expect
      .poll(() => stateOf(db))
      .toMatchObject({ waiting: expect.not.stringMatching('pending'), imported: 1, expired: 0 });
    db.close();
    expect(stateOf(household.db)).toEqual(untouched);
    expect(existsSync(join(served.vault, 'inbox', 'letter.pdf'))).toBe(true);
  });

  it('leaves files of links alone, of which the next start of the household’s own program removes the rest', () => {
    const linksIn = (vault: string): string[] => readdirSync(join(vault, 'cache/health-links'));
    expect(linksIn(own.vault)).toEqual([kept]);
    const db = openDatabase(join(own.vault, 'vault.db'));
    expect(db.prepare('SELECT count(*) FROM share_health_links WHERE file_sizes IS NULL').pluck().get()).toBe(0);
    db.close();
    expect(linksIn(served.vault)).toContain(kept);
  });

  it('opens a share that the household manages meanwhile, and ends with it', async () => {
    const owner = household.as('owner');
    const share = household.make.share();
    const doctor = new Recipient(served.url);
    expect((await enter(owner, doctor, share)).status).toBe(200);
    expect((await doctor.get(`/api/share/documents/${share.document}`)).body.id).toBe(share.document);
    expect((await owner.get(`/api/shares/${share.id}/sessions`)).body.active).toHaveLength(1);
    await owner.call('DELETE', `/api/shares/${share.id}`);
    expect((await doctor.get('/api/share/me')).status).toBe(401);
    // Nothing that ran beside it was disturbed.
    expect((await owner.get('/api/patients')).status).toBe(200);
  });

  it('opens links for health apps, whose wrong passcodes count in every process and after a restart', async () => {
    const owner = household.as('owner');
    const share = household.make.share();
    const { body: made } = await owner.post(`/api/shares/${share.id}/health-links`, { passcode: '4821 9037' });
    const rows = async () => (await owner.get(`/api/shares/${share.id}/health-links`)).body;
    await expect.poll(async () => (await rows())[0].status).toBe('active');
    const payload = JSON.parse(Buffer.from(made.link.split('/')[1], 'base64url').toString()) as { url: string };
    const ask = (url: string, passcode: string) =>
      new Recipient(url).post(new URL(payload.url).pathname, { recipient: 'Praxis', passcode });
    const opened = await ask(served.url, '4821 9037');
    expect([opened.status, opened.body.files.length]).toEqual([200, 1]);
    household.db.prepare('UPDATE share_health_links SET tries_left = 1 WHERE link_id = ?').run(made.link_id);
    expect((await ask(served.url, 'wrong one')).body).toEqual({ remainingAttempts: 0 });
    expect((await rows())[0]).toMatchObject({ status: 'locked', opened_count: 1 });
    const other = await serve({ vault: core.vault, args: ['--mode', 'share'] });
    expect((await ask(other.url, '4821 9037')).status).toBe(404);
    await other.stop();
  });

  it('can be stopped and started while the household works', async () => {
    const other = await serve({ vault: core.vault, args: ['--mode', 'share'] });
    expect([other.shareUrl, (await fetch(`${other.url}/health`)).status]).toEqual([other.url, 200]);
    expect(await other.stop()).toBe(0);
    expect((await household.as('owner').get('/api/patients')).status).toBe(200);
  });

  it('reports that it runs, and has no page of the household', async () => {
    expect((await stranger('nobody').get('/health')).body).toEqual({ status: 'ok', mode: 'share' });
    for (const page of ['/', '/documents', '/login', '/index.html'])
      expect([page, (await stranger('keeper').get(page)).status]).toEqual([page, 404]);
  });
});
