import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { letter } from '../support/sample-documents.ts';
import { test } from '../support/fixtures.ts';

let house: Household;
let owner: Client;
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});

type Plural = 'encounters' | 'medications' | 'vaccinations';
const rowsOf = async (id: number, kind: Plural, by = owner) => (await by.get(`/api/documents/${id}`)).body[kind];
const patch = (kind: Plural, id: number, fields: object, by = owner) => by.call('PATCH', `/api/${kind}/${id}`, fields);
const found = async (q: string, by = owner): Promise<number[]> =>
  (await by.get(`/api/documents?q=${encodeURIComponent(q)}`)).body.items.map((item: { id: number }) => item.id);

const KINDS = [
  {
    kind: 'encounters',
    make: () => house.make.encounter(),
    missing: 'encounter.not_found',
    fields: {
      encounter_date: '2024-02-01',
      admission_date: '2024-02-01',
      discharge_date: '2024-02-03',
      diagnosis_original: 'Vorhofflimmern',
      diagnosis_code: 'I48.9',
      specialty_original: 'Kardiologie',
      notes: 'n',
      findings: 'f',
      follow_up_date: '2024-05-01',
      follow_up_instructions: 'EKG',
      follow_up_done_date: '2024-05-02',
    },
    word: 'Vorhofflimmern',
  },
  {
    kind: 'medications',
    make: () => house.make.medication(),
    missing: 'medication.not_found',
    fields: {
      brand_name: 'Glucophage',
      active_ingredient_original: 'Metformin',
      dosage: '500 mg',
      form: 'Tabletten',
      frequency: '1-0-1-0',
      duration: '3 Monate',
      quantity: '90',
      prescribed_date: '2024-02-01',
    },
    word: 'Glucophage',
  },
  {
    kind: 'vaccinations',
    make: () => house.make.vaccination(),
    missing: 'vaccination.not_found',
    fields: {
      vaccine_name: 'Boostrix',
      manufacturer: 'GSK',
      lot_number: 'AC37',
      dose_number: 2,
      date_administered: '2024-02-01',
    },
    word: 'Boostrix',
  },
] as const;

describe.each(KINDS)('$kind of a document', ({ kind, make, missing, fields, word }) => {
  it('are changed field by field, indexed for search, and record the user', async () => {
    const id = make();
    const changed = await patch(kind, id, fields);
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ id, ...fields, edited_fields: expect.arrayContaining(Object.keys(fields)) }),
    ]);
    expect(await rowsOf(changed.body.document_id, kind)).toEqual([changed.body]);
    expect(await found(word)).toContain(changed.body.document_id);
    const [cleared] = Object.keys(fields).slice(1);
    expect((await patch(kind, id, { [String(cleared)]: null })).body).toMatchObject({
      ...fields,
      [String(cleared)]: null,
    });
    expect((await patch(kind, id, {})).status).toBe(200);
  });

  it('are added to a document, and rejected when invalid', async () => {
    const document_id = house.make.document();
    const made = await owner.post(`/api/${kind}`, { document_id, ...fields });
    expect([made.status, made.body]).toMatchObject([201, { document_id, ...fields, evidence: null }]);
    expect((await owner.post(`/api/${kind}`, { document_id })).status).toBe(422);
    expect((await owner.post(`/api/${kind}`, fields)).status).toBe(422);
    expect((await owner.post(`/api/${kind}`, { document_id: 999_999, ...fields })).body.code).toBe(
      'document.not_found',
    );
    expect(
      (
        await owner.post(`/api/${kind}`, {
          document_id: house.make.document({ patient: house.otherPatient }),
          ...fields,
        })
      ).status,
    ).toBe(403);
    for (const bad of [{ surprise: 1 }, { document_id: 2 }, { id: 2 }])
      expect((await patch(kind, made.body.id, bad)).status).toBe(422);
  });

  it('are deleted and restored unchanged, search index included', async () => {
    const id = make();
    const { body: before } = await patch(kind, id, fields);
    const gone = await owner.call('DELETE', `/api/${kind}/${id}`);
    expect([gone.status, gone.body]).toEqual([
      200,
      { ok: true, trash_id: expect.any(Number), undo_until: expect.any(String) },
    ]);
    expect([
      await rowsOf(before.document_id, kind),
      (await patch(kind, id, {})).body.code,
      (await owner.call('DELETE', `/api/${kind}/${id}`)).status,
    ]).toEqual([[], missing, 404]);
    expect(await found(word)).not.toContain(before.document_id);
    expect((await owner.get('/api/trash')).body.items[0]).toMatchObject({
      id: gone.body.trash_id,
      label: word,
      patient_id: house.patient,
    });
    expect((await owner.post(`/api/trash/${gone.body.trash_id}/restore`)).body).toEqual({
      ok: true,
      document_ids: [],
      separate_studies: [],
      not_restored: [],
    });
    expect([await rowsOf(before.document_id, kind), await found(word)]).toEqual([
      [before],
      expect.arrayContaining([before.document_id]),
    ]);
  });

  it('are restored only after their document', async () => {
    const id = make();
    const { document_id } = (await patch(kind, id, fields)).body;
    const row = (await owner.call('DELETE', `/api/${kind}/${id}`)).body.trash_id;
    const document = (await owner.call('DELETE', `/api/documents/${document_id}`)).body.trash_id;
    expect((await owner.post(`/api/trash/${row}/restore`)).body.code).toBe('trash.parent_deleted');
    for (const trash of [document, row]) expect((await owner.post(`/api/trash/${trash}/restore`)).status).toBe(200);
    expect(await rowsOf(document_id, kind)).toMatchObject([{ id, ...fields }]);
  });

  it("can't be changed without permission", async () => {
    const id = make();
    for (const [by, status] of [
      ['viewer', 403],
      ['reader', 403],
      ['other', 403],
      ['nobody', 401],
    ] as const) {
      expect([
        by,
        (await patch(kind, id, fields, house.as(by))).status,
        (await house.as(by).call('DELETE', `/api/${kind}/${id}`)).status,
      ]).toEqual([by, status, status]);
    }
  });
});

describe('invalid rows', () => {
  it('are rejected and change nothing', async () => {
    const encounter = house.make.encounter(),
      medication = house.make.medication(),
      vaccination = house.make.vaccination();
    for (const [kind, id, fields, code] of [
      [
        'encounters',
        encounter,
        { admission_date: '2024-02-03', discharge_date: '2024-02-01' },
        'encounter.invalid_date_range',
      ],
      ['encounters', encounter, { encounter_date: null, diagnosis_original: ' ' }, 'row.no_values'],
      ['encounters', encounter, { doctor_id: 999_999 }, 'document.doctor_not_found'],
      ['encounters', encounter, { facility_id: 999_999 }, 'document.facility_not_found'],
      ['encounters', encounter, { norm_diagnosis_id: 999_999 }, 'row.name_not_found'],
      ['medications', medication, { brand_name: null }, 'medication.name_missing'],
      ['medications', medication, { norm_medication_id: 999_999 }, 'row.name_not_found'],
      ['vaccinations', vaccination, { vaccine_name: ' ' }, 'request.invalid'],
      ['vaccinations', vaccination, { dose_number: 1.5 }, 'request.invalid'],
      ['medications', medication, { prescribed_date: '2024-02-30' }, 'request.invalid'],
    ] as const) {
      const before = house.db.prepare(`SELECT * FROM ${kind} WHERE id = ?`).get(id);
      expect([fields, (await patch(kind, id, fields)).body.code]).toEqual([fields, code]);
      expect(house.db.prepare(`SELECT * FROM ${kind} WHERE id = ?`).get(id)).toEqual(before);
    }
  });

  it('accept doctors and facilities by name as documents do', async () => {
    const id = house.make.encounter();
    const { body } = await patch('encounters', id, {
      doctor_name: 'Dr. med. Jana Weidmann',
      facility_name: 'Spital Rheinau',
    });
    expect(body).toMatchObject({ doctor_name: 'Dr. med. Jana Weidmann', facility_name: 'Spital Rheinau' });
    expect((await patch('encounters', house.make.encounter(), { doctor_name: 'Weidmann Jana' })).body.doctor_id).toBe(
      body.doctor_id,
    );
    expect((await patch('encounters', id, { doctor_name: null })).body.doctor_id).toBeNull();
  });
});

describe('reprocessing a document', () => {
  it('keeps the edits, additions and removals of users', async () => {
    const person = house.as('keeper');
    await person.post('/api/pipeline/start');
    const lines = [
      'Praxis am Stadtpark',
      'Dr. med. Beat Zimmerli',
      'Rezept',
      'Patient: Elena Holunder',
      'Datum: 14.11.2024',
      'Rp.',
      'Metformin 500 mg Tabletten 1-0-1-0',
      'Pantoprazol 40 mg Tabletten 1-0-0-0',
      'Ramipril 5 mg Tabletten 1-0-0-0',
      'Torasemid 10 mg Tabletten 1-0-0-0',
    ];
    const {
      body: { document_id: id },
    } = await person.upload(
      await letter([lines.map((text, index) => ({ text, y: 60 + index * 24 }))]),
      'rezept.pdf',
      house.patient,
    );
    await person.idle();
    const read = await rowsOf(id, 'medications', person);
    const name = (row: { brand_name: string | null; active_ingredient_original: string | null }) =>
      row.brand_name ?? row.active_ingredient_original;
    expect(read.map(name)).toEqual(['Metformin', 'Pantoprazol', 'Ramipril', 'Torasemid']);
    const [metformin, pantoprazol, ramipril] = read;

    await patch(
      'medications',
      metformin.id,
      { brand_name: 'Glucophage', active_ingredient_original: null, dosage: '1000 mg' },
      person,
    );
    await person.call('DELETE', `/api/medications/${pantoprazol.id}`);
    const undone = (await person.call('DELETE', `/api/medications/${ramipril.id}`)).body.trash_id;
    await person.post(`/api/trash/${undone}/restore`);
    const added = (await person.post('/api/medications', { document_id: id, brand_name: 'Aspirin Cardio' })).body;

    for (const mode of ['llm', 'both']) {
      await person.post(`/api/documents/${id}/reprocess`, { mode });
      await person.idle();
      const rows = await rowsOf(id, 'medications', person);
      expect([mode, rows.map(name).sort()]).toEqual([mode, ['Aspirin Cardio', 'Glucophage', 'Ramipril', 'Torasemid']]);
      expect(rows.find((row: { id: number }) => row.id === metformin.id)).toMatchObject({
        dosage: '1000 mg',
        frequency: metformin.frequency,
        evidence: metformin.evidence,
      });
      expect(rows.find((row: { id: number }) => row.id === added.id)).toEqual(added);
    }
    const corrections = house.db
      .prepare('SELECT field, old_value, new_value FROM extraction_corrections WHERE document_id = ? ORDER BY id')
      .all(id) as { field: string; old_value: string; new_value: string | null }[];
    expect(corrections.filter((row) => row.field === 'medications.dosage')).toEqual([
      { field: 'medications.dosage', old_value: '500 mg', new_value: '1000 mg' },
    ]);
  });
});
