import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { Client } from '../support/client.ts';
import { openHousehold, type CallerName, type Household } from '../support/household.ts';
import { serve, type Served } from '../support/serve.ts';
import { EXAMPLES } from './examples.ts';
import { send } from './send.ts';

const ALL = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area)).map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]);

let served: Served, household: Household;
beforeAll(async () => {
  // A household with sessions, then the same vault for strangers.
  const core = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  household = await openHousehold(core.url, core.vault);
  await core.stop();
  served = await serve({ vault: core.vault, args: ['--mode', 'share'], env: { VAULT_PIPELINE_WATCH: 'false' } });
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

describe('a service for recipients of shares', () => {
  it.each(ALL.filter(([, { inShareMode }]) => !inShareMode))('has no %s, not even for an administrator', async (route, { method }) => {
    const { path, answers: _answers, ...call } = EXAMPLES[route]!(household);
    for (const name of ['keeper', 'nobody'] as const) {
      const { status, text } = await send(stranger(name), method, path, call);
      expect([name, status, /"code":"([\w.]+)"/.exec(text)?.[1]]).toEqual([name, 404, 'request.not_found']);
    }
  });

  it('tells that it is up, and has no page of the household', async () => {
    expect((await stranger('nobody').get('/health')).body).toEqual({ status: 'ok', mode: 'share' });
    for (const page of ['/', '/documents', '/login', '/index.html']) expect([page, (await stranger('keeper').get(page)).status]).toEqual([page, 404]);
  });
});
