import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import type { Household } from '../support/household.ts';
import { SECRET, SECRET_NAME } from '../support/household-scope.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { send } from './send.ts';

let household: Household;

const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ household: records }) => {
  household = records;
  const { make, otherPatient, patient } = household;
  make.use(otherPatient, 'Haselnuss');
  make.document();
  make.use(patient);
});

describe('records of a deleted patient in the trash', () => {
  it('can be restored by the user who deleted them and not by an administrator; the patient by both', async () => {
    const { db, ids } = household;
    const put = (kind: string): number =>
      Number(
        db
          .prepare(
            'INSERT INTO trash (kind, label, patient_id, rows, files, size, deleted_by_user_id, ' +
              "deleted_at) VALUES (?, 'Left behind', 9999, '[]', '[]', 0, ?, '2026-11-20T08:00:00')",
          )
          .run(kind, ids.owner).lastInsertRowid,
      );
    for (const [kind, seen] of [
      ['document', { owner: true, admin: false, other: false }],
      ['patient', { owner: true, admin: true, other: false }],
    ] as const) {
      const item = put(kind);
      for (const name of ['other', 'admin', 'owner'] as const) {
        expect([
          kind,
          name,
          (await send(household.as(name), 'GET', '/api/trash', {})).text.includes(`"id":${item},`),
        ]).toEqual([kind, name, seen[name]]);
        if (!seen[name])
          expect((await send(household.as(name), 'POST', `/api/trash/${item}/restore`, {})).status).toBe(403);
      }
      expect((await send(household.as('owner'), 'DELETE', `/api/trash/${item}`, {})).status).toBe(200);
    }
  });
});

describe('a name used only by the records of one patient', () => {
  const TYPES = ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const;

  it.each(TYPES)('is invisible to other users: %s', async (type) => {
    const { make } = household;
    const [entry, free] = [make.usedName(type), make.name(type)];
    const at = `/api/normalization/${type}`;
    const CALLS: [method: string, path: string, body?: unknown][] = [
      ['GET', `${at}/${entry}`],
      ['GET', `${at}/${entry}/documents`],
      ['PATCH', `${at}/${entry}`, { canonical_display: 'Taken' }],
      ['DELETE', `${at}/${entry}`],
      ['POST', `${at}/${entry}/aliases`, { alias: `Other ${entry}` }],
      ['POST', `${at}/${entry}/confirm`],
      ['POST', `${at}/merge`, { source_id: entry, target_id: free }],
      ['POST', `${at}/merge`, { source_id: free, target_id: entry }],
      [
        'POST',
        `${at}/merge-batch`,
        { source_ids: [free, entry], new_target: { canonical_code: `n-${entry}`, canonical_display: 'New' } },
      ],
      ['POST', `${at}/keep-apart`, { entry_ids: [entry, free] }],
    ];
    for (const name of ['other', 'editor', 'admin'] as const) {
      const client = household.as(name);
      for (const path of [at, `${at}?search=${SECRET}`, `${at}?filter=unused`, `${at}/merges`])
        expect([name, path, (await send(client, 'GET', path, {})).text.includes(SECRET)]).toEqual([name, path, false]);
      expect((await send(client, 'POST', `${at}/auto-merge`, {})).text).not.toContain(SECRET);
      const before = household.writes();
      for (const [method, path, body] of CALLS) {
        const { status, text } = await send(client, method, path, { body });
        expect([403, 404], `${name} ${method} ${path}: ${status} ${text.slice(0, 200)}`).toContain(status);
        expect(text).not.toContain(SECRET);
      }
      expect(household.writes()).toBe(before);
    }
    // Nor does a record of one's own tell its name.
    make.use(household.patient, 'Haselnuss');
    const mine = make.document({ patient: null, uploader: household.ids.editor });
    make.use(household.patient);
    const pointing: Partial<Record<typeof type, [string, string, unknown]>> = {
      doctors: ['PATCH', `/api/documents/${mine}`, { doctor_id: entry }],
      facilities: ['PATCH', `/api/documents/${mine}`, { facility_id: entry }],
      lab_tests: [
        'POST',
        '/api/lab-results',
        { document_id: mine, test_name_original: 'Ferritin', norm_lab_test_id: entry },
      ],
      diagnoses: [
        'POST',
        '/api/encounters',
        { document_id: mine, encounter_date: '2025-01-01', norm_diagnosis_id: entry },
      ],
      medications: [
        'POST',
        '/api/medications',
        { document_id: mine, brand_name: 'Maltofer', norm_medication_id: entry },
      ],
    };
    const [method, path, body] = pointing[type] ?? ['GET', `${at}/${entry}`, undefined];
    expect((await send(household.as('editor'), method, path, { body })).status).toBe(404);

    expect(
      (await send(household.as('viewer'), 'PATCH', `${at}/${entry}`, { body: { canonical_display: 'Taken' } })).status,
    ).toBe(403);
    expect(
      (
        await send(household.as('owner'), 'PATCH', `${at}/${entry}`, {
          body: { canonical_display: `${SECRET} renamed` },
        })
      ).status,
    ).toBe(200);
  });
});

describe('the tree of files', () => {
  it('hides the folders of patients whom the caller may not see', async () => {
    household.make.document();
    for (const [name, shown, kept] of [
      ['owner', 'elena-1', 'marco-bianchi'],
      ['other', 'marco-bianchi', 'elena-1'],
    ] as const) {
      const { status, text } = await send(household.as(name), 'GET', '/api/vault/tree', {});
      expect([name, status, text.includes(shown), text.includes(kept)]).toEqual([name, 200, true, false]);
      const direct = await send(household.as(name), 'GET', `/api/vault/tree?path=patients%2F${kept}`, {});
      expect([403, 404], `${name}: ${direct.text}`).toContain(direct.status);
    }
  });

  it('does not leave the vault and hides the files of Hearth itself', async () => {
    for (const path of [
      '..',
      '../..',
      '/',
      '/etc',
      'patients/../..',
      '.',
      '~',
      'trash',
      'tmp',
      'cache',
      'vault.db',
      'patients/%00',
    ]) {
      const { status, text } = await send(
        household.as('keeper'),
        'GET',
        `/api/vault/tree?path=${encodeURIComponent(path)}`,
        {},
      );
      expect([path, status >= 400 && status < 500], text).toEqual([path, true]);
    }
    expect((await send(household.as('keeper'), 'GET', '/api/vault/tree', {})).text).not.toMatch(
      /vault\.db|secret\.key/,
    );
  });
});

describe('a list without a patient shows only patients whom the caller may see', () => {
  const lists = Object.values(contract)
    .flatMap((area) => Object.values<Endpoint>(area))
    .filter(
      ({ method, path, query, reply }) =>
        method === 'GET' &&
        !path.includes('{') &&
        reply !== 'live' &&
        reply !== 'redirect' &&
        reply !== 'bytes' &&
        query,
    );
  const needed = (endpoint: Endpoint): boolean =>
    endpoint.query?.shape['patient_id'] !== undefined &&
    !endpoint.query.shape['patient_id'].safeParse(undefined).success;

  it.each(
    lists.filter((endpoint) => !needed(endpoint)).map((endpoint): [string, Endpoint] => [endpoint.path, endpoint]),
  )('%s', async (path, endpoint) => {
    const { make } = household;
    const { event } = make.linkedEvent();
    make.document({ status: 'failed' });
    make.labResult();
    make.orphan();
    make.encounter();
    make.trashed();
    for (const type of ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const)
      make.usedName(type);
    const asked = endpoint.query?.shape ?? {};
    const byEvent = asked['event_id'] ? `?event_id=${event}` : '';
    const words = asked['q'] ? `?q=${SECRET}` : byEvent;
    for (const name of ['other', 'editor', 'admin'] as const) {
      for (const filter of ['', words]) {
        const { status, text } = await send(household.as(name), 'GET', path + filter, {});
        if (status !== 200) expect([403, 422], `${name} ${path}: ${text}`).toContain(status);
        expect(
          text.includes(SECRET) || (name !== 'admin' && text.includes(SECRET_NAME)),
          `${name} reads of the patient in ${path}${filter}: ${text.slice(0, 400)}`,
        ).toBe(false);
      }
    }
    const { status } = await send(household.as('owner'), 'GET', path + words, {});
    expect([200, 403, 422]).toContain(status);
  });
});
