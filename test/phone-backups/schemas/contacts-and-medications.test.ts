import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { contacts } from '../../../src-shared/ios-backup/artifacts/contacts.ts';
import { medications } from '../../../src-shared/ios-backup/artifacts/medications.ts';
import { readWith, schemaDatabase } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../../fixtures/ios-backup/artifacts/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the schemas of contacts and medications', () => {
  const CONTACTS_SCHEMA = `CREATE TABLE ABPerson (ROWID INTEGER PRIMARY KEY, First TEXT, Last TEXT, Middle TEXT,
      FirstPhonetic TEXT, Organization TEXT, Department TEXT, Note TEXT, Kind INTEGER, Birthday TEXT, JobTitle TEXT,
      Nickname TEXT, Prefix TEXT, Suffix TEXT, ModificationDate INTEGER, ExternalUUID TEXT, guid TEXT);
      CREATE TABLE ABMultiValue (UID INTEGER PRIMARY KEY, record_id INTEGER, property INTEGER, identifier INTEGER,
      label INTEGER, value TEXT, guid TEXT);
      CREATE TABLE ABMultiValueLabel (value TEXT, UNIQUE(value)); CREATE TABLE ABMultiValueEntry (parent_id INTEGER,
        key INTEGER, value TEXT, UNIQUE(parent_id, key)); CREATE TABLE ABMultiValueEntryKey (value TEXT, UNIQUE(value));
      CREATE VIRTUAL TABLE ABPersonFullTextSearch USING fts4(First, Last);`;

  const MEDICATIONS_SCHEMA = `CREATE TABLE samples (data_id INTEGER PRIMARY KEY, start_date REAL, end_date REAL,
      data_type INTEGER); CREATE TABLE user_domain_concepts (udc_id INTEGER PRIMARY KEY, uuid BLOB, schema TEXT,
      type INTEGER, deleted INTEGER, creation_date REAL); CREATE TABLE
      user_domain_concept_localized_string_properties (ROWID INTEGER PRIMARY KEY, udc_id INTEGER,
      property_type INTEGER, string_value TEXT, locale TEXT);
      CREATE TABLE medication_dose_event_samples (data_id INTEGER PRIMARY KEY, log_origin INTEGER,
        schedule_item_identifier TEXT, medication_uuid BLOB, medication_identifier TEXT,
        scheduled_dose_quantity REAL, dose_quantity REAL, scheduled_date REAL, status INTEGER,
        hashed_medication_identifier BLOB);`;

  it('reads social accounts, name prefixes and logged doses', async () => {
    const uuid = Buffer.alloc(16, 7);
    const found = await readWith(
      [contacts, medications],
      {
        'HomeDomain/Library/AddressBook/AddressBook.sqlitedb': schemaDatabase(CONTACTS_SCHEMA, {
          ABPerson: [{ ROWID: 1, First: 'Eva', Last: 'Frisch', Prefix: 'Dr. med.', Suffix: 'FMH', guid: 'G' }],
          ABMultiValueLabel: [{ value: '_$!<Work>!$_' }],
          ABMultiValueEntryKey: [{ value: 'service' }, { value: 'username' }],
          ABMultiValue: [
            { UID: 5, record_id: 1, property: 13, label: 1, value: null },
            { UID: 6, record_id: 1, property: 23, value: 'Peter Frisch' },
          ],
          ABMultiValueEntry: [
            { parent_id: 5, key: 1, value: 'Threema' },
            { parent_id: 5, key: 2, value: 'FRISCH01' },
          ],
        }),
        'HealthDomain/Health/healthdb_secure.sqlite': schemaDatabase(MEDICATIONS_SCHEMA, {
          samples: [
            { data_id: 1, start_date: apple('2026-01-01T07:00:00'), data_type: 273 },
            { data_id: 2, start_date: apple('2026-01-02T07:00:00'), data_type: 273 },
          ],
          user_domain_concepts: [{ udc_id: 3, uuid, deleted: 0, creation_date: 1 }],
          user_domain_concept_localized_string_properties: [
            { udc_id: 3, property_type: 1, string_value: 'Eltroxin 50' },
          ],
          medication_dose_event_samples: [
            { data_id: 1, medication_uuid: uuid, dose_quantity: 1, status: 4 },
            { data_id: 2, medication_uuid: uuid, dose_quantity: null, status: 5 },
          ],
        }),
      },
      folder,
    );
    expect(found.contacts[0]).toMatchObject({
      prefix: 'Dr. med.',
      suffix: 'FMH',
      labelled: [
        { kind: 'other', label: 'work', value: 'FRISCH01 (Threema)' },
        { kind: 'other', label: null, value: 'Peter Frisch' },
      ],
    });
    expect(found.medications).toMatchObject([
      {
        name: 'Eltroxin 50',
        doses: [{ taken_at: '2026-01-01T07:00:00', quantity: 1, status: 'taken' }, { status: 'skipped' }],
      },
    ]);
  });
});
