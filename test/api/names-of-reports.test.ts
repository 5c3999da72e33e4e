import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { at, found } from '../support/names.ts';
import { labReport, letter } from '../support/sample-documents.ts';
import { test } from '../support/fixtures.ts';

let house: Household, owner: Client;

test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});

beforeEach(() => house.make.use(house.patient));

async function readPaper(pdf: Uint8Array): Promise<void> {
  const keeper = house.as('keeper');
  await keeper.post('/api/pipeline/start');
  try {
    expect((await keeper.upload(pdf, 'report.pdf', house.patient)).status).toBe(201);
    await keeper.idle();
  } finally {
    await keeper.post('/api/pipeline/stop');
  }
}

describe('a processed report', () => {
  it('maps its tests to the knowledge base', async () => {
    await readPaper(await labReport({ seed: 3 }));
    const rows = house.db
      .prepare(
        'SELECT n.loinc_code, n.canonical_display, n.seeded, r.test_name_original, n.id FROM ' +
          'lab_results AS r JOIN norm_lab_tests AS n ON n.id = r.norm_lab_test_id WHERE ' +
          "r.test_name_original IN ('Ferritin', 'Natrium', 'CRP', 'Hämoglobin')",
      )
      .all() as {
      loinc_code: string;
      canonical_display: string;
      seeded: number;
      test_name_original: string;
      id: number;
    }[];
    expect(
      rows.map(({ test_name_original, loinc_code, seeded }) => [test_name_original, loinc_code, seeded]).sort(),
    ).toEqual([
      ['CRP', '1988-5', 1],
      ['Ferritin', '2276-4', 1],
      ['Hämoglobin', '718-7', 1],
      ['Natrium', '2951-2', 1],
    ]);
    const sodium = rows.find((row) => row.test_name_original === 'Natrium');
    expect(sodium?.canonical_display).toBe('Sodium');

    // The same test under other names, by a machine and by a person.
    const document = house.make.document();
    const other = await owner.post('/api/lab-results', {
      document_id: document,
      test_name_original: 'S-Natrium im Serum',
      value: 140,
    });
    expect(other.body.norm_lab_test_id).toBe(sodium?.id);
    expect(
      (
        await owner.post('/api/lab-results', {
          document_id: document,
          test_name_original: 'Natrium',
          sample_type: 'Spontanurin',
          value: 80,
        })
      ).body.norm_lab_test_id,
    ).not.toBe(sodium?.id);

    // The search knows the test by its canonical name as well.
    expect(await found(owner, 'Sodium')).toHaveLength(2);
  });

  it('leaves nothing to review of a doctor whom it prints as called, and automatic mappings wait for review', async () => {
    const doctor = house.db
      .prepare("SELECT entry_id FROM name_aliases WHERE kind = 'doctors' AND alias LIKE '%Regula Aebischer'")
      .pluck()
      .get() as number;
    const shown = async () => (await owner.get(at('doctors', doctor))).body;
    const toReview = async (): Promise<number[]> =>
      (await owner.get(at('doctors', '?filter=unreviewed').replace('/?', '?'))).body.items.map(
        (item: { id: number }) => item.id,
      );
    expect(await shown()).toMatchObject({ unreviewed_count: 0, aliases: [{ auto_mapped: false }] });
    expect(await toReview()).not.toContain(doctor);

    const lines = ['Arztbericht', 'Patient: Elena Keller', 'Datum: 12.03.2025', 'Zuweiser: Dr. med. R. Aebischer'];
    await readPaper(await letter([lines.map((text, i) => ({ text, y: 80 + i * 24 }))]));
    expect(await shown()).toMatchObject({
      unreviewed_count: 1,
      aliases: [{ alias: 'Dr. med. R. Aebischer', auto_mapped: true }, { auto_mapped: false }],
    });
    expect(await toReview()).toContain(doctor);
    expect((await owner.post(at('doctors', `${doctor}/confirm`))).body).toEqual({ ok: true, confirmed: 1 });
    expect(await shown()).toMatchObject({
      unreviewed_count: 0,
      aliases: [{ auto_mapped: false }, { auto_mapped: false }],
    });
  });

  it('leaves nothing to review of a name that a user changed', async () => {
    const lines = ['Arztbericht', 'Patient: Elena Keller', 'Datum: 13.03.2025', 'Zuweiser: Dr. med. Vera Umbenannt'];
    await readPaper(await letter([lines.map((text, i) => ({ text, y: 80 + i * 24 }))]));
    const [entry] = (await owner.get(at('doctors', '?search=Umbenannt').replace('/?', '?'))).body.items;
    const renamed = await owner.call('PATCH', at('doctors', entry.id), { canonical_display: 'Dr. Vera Neu' });
    expect(renamed.body).toMatchObject({ canonical_display: 'Dr. Vera Neu', unreviewed_count: 0 });
  });
});

describe('a reprocessed report', () => {
  it('adds no names for rows that a user removed', async () => {
    const keeper = house.as('keeper');
    const document = house.db
      .prepare("SELECT document_id FROM lab_results WHERE test_name_original = 'Ferritin'")
      .pluck()
      .get() as number;
    const row = house.db
      .prepare(
        'SELECT id, norm_lab_test_id AS test FROM lab_results WHERE document_id = ? AND ' +
          "test_name_original = 'Ferritin'",
      )
      .get(document) as { id: number; test: number };
    expect((await owner.call('DELETE', `/api/lab-results/${row.id}`)).status).toBe(200);
    expect((await owner.call('DELETE', at('lab_tests', row.test))).status).toBe(200);
    await keeper.post('/api/pipeline/start');
    try {
      expect((await keeper.post(`/api/documents/${document}/reprocess`, { mode: 'llm' })).status).toBe(202);
      await keeper.idle();
    } finally {
      await keeper.post('/api/pipeline/stop');
    }
    expect(house.db.prepare("SELECT count(*) FROM norm_lab_tests WHERE loinc_code = '2276-4'").pluck().get()).toBe(0);
    expect(
      house.db
        .prepare('SELECT count(*) FROM lab_results WHERE document_id = ? AND norm_lab_test_id IS NOT NULL')
        .pluck()
        .get(document),
    ).toBe(3);
  });
});
