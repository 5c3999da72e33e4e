import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Longer than the program takes to notice a file or a job. */
const NOTICED_MS = 4000;

let served: Served, household: Household, waiting: number, startedAt: number;
beforeAll(async () => {
  // A household with sessions, then the same vault for strangers.
  const core = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  household = await openHousehold(core.url, core.vault);
  await household.as('keeper').post('/api/pipeline/start');
  await core.stop();
  // Work for the household's own program: a document that waits, a file in the inbox, a trash item that expired.
  waiting = household.make.queued();
  household.db
    .prepare(
      "INSERT INTO trash (kind, label, rows, files, size, deleted_at) VALUES ('file', 'old', '[]', " +
        "'[]', 0, '2020-01-01T00:00:00')",
    )
    .run();
  writeFileSync(join(core.vault, 'inbox', 'letter.pdf'), household.make.pdf());
  served = await serve({ vault: core.vault, args: ['--mode', 'share'] });
  startedAt = Date.now();
});
afterAll(async () => {
  household.close();
  await served.remove();
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
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAt + NOTICED_MS - Date.now())));
    const one = (sql: string, ...values: unknown[]) =>
      household.db
        .prepare(sql)
        .pluck()
        .get(...values);
    expect([
      one('SELECT status FROM documents WHERE id = ?', waiting),
      one("SELECT count(*) FROM jobs WHERE state <> 'queued'"),
      one("SELECT count(*) FROM documents WHERE file_path = 'inbox/letter.pdf'"),
      one("SELECT count(*) FROM trash WHERE label = 'old'"),
    ]).toEqual(['pending', 0, 0, 1]);
    expect(existsSync(join(served.vault, 'inbox', 'letter.pdf'))).toBe(true);
  });

  it('reports that it runs, and has no page of the household', async () => {
    expect((await stranger('nobody').get('/health')).body).toEqual({ status: 'ok', mode: 'share' });
    for (const page of ['/', '/documents', '/login', '/index.html'])
      expect([page, (await stranger('keeper').get(page)).status]).toEqual([page, 404]);
  });
});
