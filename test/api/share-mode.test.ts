import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src-main/platform/database/connection.ts';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { Client } from '../support/client.ts';
import { openHousehold, type CallerName, type Household } from '../support/household.ts';
import { serve, type Served } from '../support/serve.ts';
import { EXAMPLES } from './examples.ts';
import { send } from './send.ts';

const ALL = Object.values(contract)
  .flatMap((area) => Object.values<Endpoint>(area))
  .map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]);

/** The service, and the household's own program on a copy of the same vault. */
let served: Served, own: Served, household: Household, waiting: number;
beforeAll(async () => {
  // A household with sessions, then the same vault for strangers.
  const core = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  household = await openHousehold(core.url, core.vault);
  await household.as('keeper').post('/api/pipeline/start');
  await core.stop();
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
  const copy = mkdtempSync(join(tmpdir(), 'hearth-share-'));
  cpSync(core.vault, copy, { recursive: true });
  served = await serve({ vault: core.vault, args: ['--mode', 'share'] });
  own = await serve({ vault: copy });
});
afterAll(async () => {
  household.close();
  await Promise.all([served.remove(), own.remove()]);
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
      const { path, answers: _answers, ...call } = EXAMPLES[route]!(household);
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
    // Started later, the household's own program has done all of it.
    const db = openDatabase(join(own.vault, 'vault.db'));
    await expect
      .poll(() => stateOf(db))
      .toMatchObject({ waiting: expect.not.stringMatching('pending'), imported: 1, expired: 0 });
    db.close();
    expect(stateOf(household.db)).toEqual(untouched);
    expect(existsSync(join(served.vault, 'inbox', 'letter.pdf'))).toBe(true);
  });

  it('reports that it runs, and has no page of the household', async () => {
    expect((await stranger('nobody').get('/health')).body).toEqual({ status: 'ok', mode: 'share' });
    for (const page of ['/', '/documents', '/login', '/index.html'])
      expect([page, (await stranger('keeper').get(page)).status]).toEqual([page, 404]);
  });
});
