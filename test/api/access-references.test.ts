import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { send } from './send.ts';

/** Who may use one record may not reach another through it: ids and paths in bodies, queries and nested addresses. */

let household: Household, owner: Client;

/** Records of the patient whom the owner may not see. */
let hidden: {
  document: number;
  event: number;
  linkedEvent: { event: number; document: number };
  link: { document: number; link: number };
  file: string;
  path: string;
};

const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ household: records }) => {
  household = records;
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

describe("the owner of one patient can't reach records of another", () => {
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
    expect([status, JSON.parse(text)]).toEqual([200, { candidates: [], filename: name }]);
  });
});

describe('a document without a patient', () => {
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
  ] as const)('can be read and changed by %s with status %d and %d', async (name, look, change) => {
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

  it('can be assigned only to patients whose records the caller may change', async () => {
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
