import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { CALLERS, type CallerName, type Household } from '../support/household.ts';
import { SECRET, SECRET_NAME } from '../support/household-scope.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { COLUMNS, TABLE } from './access-matrix.table.ts';
import { EXAMPLES } from './examples.ts';
import { send } from './send.ts';

const ROUTES = Object.values(contract).flatMap((area) =>
  Object.values<Endpoint>(area).map((endpoint) => `${endpoint.method} ${endpoint.path}`),
);
/** Who makes backups of the whole database has the whole database. */
const HOLDS_EVERYTHING = 'GET /api/settings/backup';
/** A wrong code is counted, so that limits apply. */
const COUNTS_REFUSALS = 'POST /api/share/{token}/verify-otp';
/** What it does is done after the reply. */
const WORKS_AFTERWARDS = 'POST /api/share/{token}/request-otp';
/** Its files are drawn after the reply. */
const MAKES_FILES = 'POST /api/shares/{share_id}/health-links';
const WITHOUT_GRANT = new Set<CallerName>(['other', 'editor', 'admin']);

let household: Household;
const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ household: records }) => {
  household = records;
});

const linksBeingMade = (): unknown =>
  household.db
    .prepare('SELECT count(*) FROM share_health_links WHERE file_sizes IS NULL AND failure IS NULL')
    .pluck()
    .get();

describe('the table', () => {
  it('has a row and an example for every endpoint, and no others', () => {
    expect(
      ROUTES.filter((route) => !(route in TABLE)),
      'endpoints without a row in access-matrix.table.ts: decide who may call them',
    ).toEqual([]);
    expect(
      ROUTES.filter((route) => !(route in EXAMPLES)),
      'endpoints without a valid call in examples.ts',
    ).toEqual([]);
    expect(ROUTES.length).toBeGreaterThan(40);
  });

  it('names the callers of the household', () => {
    expect(COLUMNS.split(' ')).toEqual([...CALLERS]);
    for (const [route, row] of Object.entries(TABLE))
      expect([route, row]).toEqual([route, expect.stringMatching(/^(\d{3} ){8}\d{3}$/)]);
  });
});

describe('who may call', () => {
  it.each(ROUTES)('%s', async (route) => {
    const expected = TABLE[route]?.split(' ').map(Number);
    const example = EXAMPLES[route];
    if (!expected || !example)
      throw new Error(`${route}: give it a row in access-matrix.table.ts and a valid call in examples.ts`);
    const got: number[] = [];
    const codes: string[] = [];
    for (const name of CALLERS) {
      // A recipient's cookie would let in whoever sends it.
      const { path, cookie: _cookie, ...call } = example(household);
      const client = household.as(name);
      const before = household.writes();
      const { status, text } = await send(client, route.split(' ')[0]!, path, call);
      got.push(status);
      codes.push(`${name}: ${status} ${/"code":"([\w.]+)"/.exec(text)?.[1] ?? ''}`);
      if ((status === 401 || status === 403) && route !== COUNTS_REFUSALS)
        expect(household.writes(), `${route} refused ${name} and wrote nevertheless`).toBe(before);
      if (route === MAKES_FILES && status === 201) await expect.poll(linksBeingMade).toBe(0);
      if (!WITHOUT_GRANT.has(name) || (name === 'admin' && route === HOLDS_EVERYTHING)) continue;
      const isLeaked = text.includes(SECRET) || (name !== 'admin' && text.includes(SECRET_NAME));
      expect(isLeaked, `${route} tells ${name} of a patient: ${text.slice(0, 500)}`).toBe(false);
    }
    expect(got.join(' '), codes.join(', ')).toBe(expected.join(' '));
    if (route === WORKS_AFTERWARDS)
      await expect
        .poll(() => household.db.prepare('SELECT count(*) FROM share_codes').pluck().get())
        .toBe(CALLERS.length);
  });
});
