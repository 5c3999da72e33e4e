import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import type { Client } from '../support/client.ts';
import { openHousehold, SECRET, SECRET_NAME, type Household } from '../support/household.ts';
import { serve, type Served } from '../support/serve.ts';
import { send } from './send.ts';

/** Who may use one record may not reach another through it: ids and paths in bodies, queries and nested addresses. */

let served: Served, household: Household, owner: Client;
/** Records of the patient whom the owner may not see. */
let hidden: {
  document: number;
  event: number;
  linkedEvent: { event: number; document: number };
  link: { document: number; link: number };
  file: string;
  path: string;
};

beforeAll(async () => {
  served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  household = await openHousehold(served.url, served.vault);
  const { make, otherPatient, patient } = household;
  make.use(otherPatient, 'Haselnuss');
  hidden = {
    document: make.document(),
    event: make.event(),
    linkedEvent: make.linkedEvent(),
    link: make.link(),
    file: make.looseFile(),
    path: '',
  };
  hidden.path = make.pathOf(hidden.document);
  make.use(patient);
  owner = household.as('owner');
});
afterAll(async () => {
  household.close();
  await served.remove();
});

type Case = [name: string, method: string, make: () => { path: string; body?: unknown; file?: Uint8Array }];
const own = (): number => household.make.document();

const CASES: Case[] = [
  [
    'a document is given to that patient by PATCH',
    'PATCH',
    () => ({ path: `/api/documents/${own()}`, body: { patient_id: household.otherPatient } }),
  ],
  [
    'a document is moved to that patient',
    'POST',
    () => ({ path: `/api/documents/${own()}/move`, body: { patient_id: household.otherPatient } }),
  ],
  [
    'a document joins an event of that patient',
    'PATCH',
    () => ({ path: `/api/documents/${own()}`, body: { event_id: hidden.event } }),
  ],
  [
    'a document is moved and joins an event there',
    'PATCH',
    () => ({ path: `/api/documents/${own()}`, body: { patient_id: household.otherPatient, event_id: hidden.event } }),
  ],
  [
    'a file is uploaded for that patient',
    'POST',
    () => ({ path: `/api/documents/upload?patient_id=${household.otherPatient}`, file: household.make.pdf() }),
  ],
  [
    'a file is uploaded into an event of that patient',
    'POST',
    () => ({
      path: `/api/documents/upload?patient_id=${household.patient}&event_id=${hidden.event}`,
      file: household.make.pdf(),
    }),
  ],
  [
    'documents of both are read again in one batch',
    'POST',
    () => ({ path: '/api/documents/schedule-batch', body: { document_ids: [own(), hidden.document] } }),
  ],
  [
    'a document is linked to that patient’s',
    'POST',
    () => ({
      path: `/api/documents/${own()}/link`,
      body: { target_document_id: hidden.document, link_type: 'related' },
    }),
  ],
  [
    'a link of that patient’s is removed through an own document',
    'DELETE',
    () => ({ path: `/api/documents/${own()}/links/${hidden.link.link}` }),
  ],
  [
    'an own event takes that patient’s document',
    'POST',
    () => ({ path: `/api/events/${household.make.event()}/link`, body: { document_id: hidden.document } }),
  ],
  [
    'an event of that patient takes an own document',
    'POST',
    () => ({ path: `/api/events/${hidden.event}/link`, body: { document_id: own() } }),
  ],
  [
    'an own event drops that patient’s document',
    'DELETE',
    () => ({ path: `/api/events/${household.make.event()}/link/${hidden.linkedEvent.document}` }),
  ],
  [
    'an event is given to that patient',
    'PATCH',
    () => ({ path: `/api/events/${household.make.event()}`, body: { patient_id: household.otherPatient } }),
  ],
  [
    'an event is made for that patient',
    'POST',
    () => ({ path: '/api/events', body: { patient_id: household.otherPatient, title: 'Theirs', event_type: 'other' } }),
  ],
  [
    'a result is added to that patient’s document',
    'POST',
    () => ({ path: '/api/lab-results', body: { document_id: hidden.document, test_name_original: 'Ferritin' } }),
  ],
  [
    'a visit is added to that patient’s document',
    'POST',
    () => ({ path: '/api/encounters', body: { document_id: hidden.document, encounter_date: '2025-01-01' } }),
  ],
  [
    'a medicine is added to that patient’s document',
    'POST',
    () => ({ path: '/api/medications', body: { document_id: hidden.document, brand_name: 'Maltofer' } }),
  ],
  [
    'a vaccination is added to that patient’s document',
    'POST',
    () => ({ path: '/api/vaccinations', body: { document_id: hidden.document, vaccine_name: 'Boostrix' } }),
  ],
  [
    'a document takes a loose file of that patient’s folder',
    'POST',
    () => ({
      path: `/api/documents/${household.make.document({ file: false })}/relink`,
      body: { vault_path: hidden.file },
    }),
  ],
  [
    'a document takes the file of that patient’s document',
    'POST',
    () => ({
      path: `/api/documents/${household.make.document({ file: false })}/relink`,
      body: { vault_path: hidden.path },
    }),
  ],
  [
    'a file of that patient’s is moved into an own folder',
    'POST',
    () => ({
      path: '/api/vault/move',
      body: { from_path: hidden.file, to_path: `patients/elena-1/2024/taken-${household.make.next()}.pdf` },
    }),
  ],
  [
    'the file of that patient’s document is moved into an own folder',
    'POST',
    () => ({
      path: '/api/vault/move',
      body: { from_path: hidden.path, to_path: `patients/elena-1/2024/taken-${household.make.next()}.pdf` },
    }),
  ],
  [
    'an own file is moved into that patient’s folder',
    'POST',
    () => ({
      path: '/api/vault/move',
      body: {
        from_path: household.make.pathOf(own()),
        to_path: `patients/marco-bianchi/2024/given-${household.make.next()}.pdf`,
      },
    }),
  ],
  [
    'the folder of that patient is moved',
    'POST',
    () => ({
      path: '/api/vault/move',
      body: { from_path: 'patients/marco-bianchi/2025', to_path: 'patients/elena-1/theirs' },
    }),
  ],
  [
    'the folder of all patients is moved',
    'POST',
    () => ({ path: '/api/vault/move', body: { from_path: 'patients', to_path: 'unclassified/patients' } }),
  ],
  [
    'a loose file of that patient’s is deleted',
    'DELETE',
    () => ({ path: `/api/vault/file?path=${encodeURIComponent(hidden.file)}` }),
  ],
  [
    'the file of that patient’s document is deleted',
    'DELETE',
    () => ({ path: `/api/vault/file?path=${encodeURIComponent(hidden.path)}` }),
  ],
  [
    'the database is moved into an own folder',
    'POST',
    () => ({ path: '/api/vault/move', body: { from_path: 'vault.db', to_path: 'patients/elena-1/2024/db.pdf' } }),
  ],
  [
    'the key of the vault is moved into an own folder',
    'POST',
    () => ({ path: '/api/vault/move', body: { from_path: 'secret.key', to_path: 'patients/elena-1/2024/key.pdf' } }),
  ],
  ['the database is deleted', 'DELETE', () => ({ path: '/api/vault/file?path=vault.db' })],
  ['what lies in the trash is deleted', 'DELETE', () => ({ path: '/api/vault/file?path=trash%2F1%2F0.pdf' })],
];

describe('the owner of one patient reaches nothing of another', () => {
  it.each(CASES)('when %s', async (_name, method, make) => {
    const { path, ...call } = make();
    const before = household.writes();
    const { status, text } = await send(owner, method, path, call);
    expect([400, 403, 404, 409], `${method} ${path}: ${status} ${text}`).toContain(status);
    expect(text).not.toContain('request.not_found');
    expect(household.writes(), 'it was refused, but something was written').toBe(before);
  });

  it('when it looks for the missing file of a document', async () => {
    const { make } = household;
    const mine = make.document({ file: false });
    const name = hidden.file.split('/').at(-1)!;
    household.db.prepare('UPDATE documents SET original_filename = ? WHERE id = ?').run(name, mine);
    const { status, text } = await send(owner, 'GET', `/api/documents/${mine}/find-candidates`, {});
    expect([status, text]).toEqual([200, '{"candidates":[]}']);
  });
});

describe('a document of no patient yet', () => {
  beforeAll(() => household.make.use(household.patient, 'Haselnuss'));
  afterAll(() => household.make.use(household.patient));

  // Who brought it sorts it, and administrators help; nobody else knows of it.
  it.each([
    ['nobody', 401, 401],
    ['viewer', 403, 403],
    ['owner', 403, 403],
    ['other', 403, 403],
    ['editor', 200, 200],
    ['admin', 200, 200],
    ['keeper', 200, 200],
  ] as const)('is looked at and changed by %s with %d and %d', async (name, look, change) => {
    const document = household.make.document({ patient: null, uploader: household.ids.editor });
    expect([
      (await send(household.as(name), 'GET', `/api/documents/${document}`, {})).status,
      (await send(household.as(name), 'GET', `/api/documents/${document}/file`, {})).status,
    ]).toEqual([look, look]);
    expect(
      (await send(household.as(name), 'PATCH', `/api/documents/${document}`, { body: { notes: 'sorted' } })).status,
    ).toBe(change);
    const listed = (await send(household.as(name), 'GET', '/api/documents?limit=500', {})).text.includes(
      `"id":${document},`,
    );
    expect(listed).toBe(look === 200);
  });

  it('is given only to patients whose records one may change', async () => {
    const { make, ids, patient } = household;
    const give = async (name: 'editor' | 'admin' | 'keeper'): Promise<number> =>
      (
        await send(
          household.as(name),
          'POST',
          `/api/documents/${make.document({ patient: null, uploader: ids.editor })}/move`,
          { body: { patient_id: patient } },
        )
      ).status;
    expect([await give('editor'), await give('admin'), await give('keeper')]).toEqual([403, 403, 200]);
  });
});

describe('what a deleted patient left in the trash', () => {
  it('is put back by who deleted it, and by no administrator; the patient himself by both', async () => {
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

describe('a name that only the records of one patient use', () => {
  const TYPES = ['lab_tests', 'specialties', 'diagnoses', 'medications', 'doctors', 'facilities'] as const;

  it.each(TYPES)('is known to nobody else: %s', async (type) => {
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
  it('shows nobody the folders of patients whom he may not see', async () => {
    for (const [name, shown, kept] of [
      ['owner', 'elena-1', 'marco-bianchi'],
      ['other', 'marco-bianchi', 'elena-1'],
    ] as const) {
      household.make.document();
      const { status, text } = await send(household.as(name), 'GET', '/api/vault/tree', {});
      expect([name, status, text.includes(shown), text.includes(kept)]).toEqual([name, 200, true, false]);
      const direct = await send(household.as(name), 'GET', `/api/vault/tree?path=patients%2F${kept}`, {});
      expect([403, 404], `${name}: ${direct.text}`).toContain(direct.status);
    }
  });

  it('ends at the vault, and shows no files of Hearth’s own', async () => {
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

describe('a list without a patient shows only those whom the caller may see', () => {
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
