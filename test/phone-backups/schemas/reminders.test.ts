import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { reminders } from '../../../src-shared/ios-backup/artifacts/reminders.ts';
import { readWith, schemaDatabase } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../../fixtures/ios-backup/artifacts/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = `Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZALLDAY INTEGER, ZCOMPLETED INTEGER, ZFLAGGED INTEGER,
  ZMARKEDFORDELETION INTEGER, ZPRIORITY INTEGER, ZLIST INTEGER, ZCOMPLETIONDATE TIMESTAMP, ZCREATIONDATE TIMESTAMP,
  ZDUEDATE TIMESTAMP, ZIDENTIFIER BLOB, ZNOTES VARCHAR, ZTITLE VARCHAR`;
const VACCINATION = {
  Z_PK: 1,
  ZTITLE: 'Impfung auffrischen',
  ZNOTES: 'Tetanus',
  ZLIST: 7,
  ZDUEDATE: apple('2026-03-01T00:00:00'),
  ZALLDAY: 1,
  ZPRIORITY: 1,
  ZFLAGGED: 1,
  ZCREATIONDATE: apple('2026-02-01T10:00:00'),
  ZIDENTIFIER: Buffer.alloc(16, 0xab),
};

describe('reminders', () => {
  it('of iOS 17 are read from all stores with their lists, without deleted ones', async () => {
    const schema = `CREATE TABLE ZREMCDREMINDER (${COLUMNS});
      CREATE TABLE ZREMCDBASELIST (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR)`;
    const stores = 'AppDomainGroup-group.com.apple.reminders/Container_v1/Stores';
    const found = await readWith(
      [reminders],
      {
        [`${stores}/Data-1.sqlite`]: schemaDatabase(schema, {
          ZREMCDBASELIST: [{ Z_PK: 7, ZNAME: 'Gesundheit' }],
          ZREMCDREMINDER: [VACCINATION, { Z_PK: 2, ZTITLE: 'deleted', ZMARKEDFORDELETION: 1 }],
        }),
        [`${stores}/Data-local.sqlite`]: schemaDatabase(schema, {
          ZREMCDREMINDER: [
            { Z_PK: 1, ZTITLE: 'Rechnung', ZCOMPLETED: 1, ZCOMPLETIONDATE: apple('2026-01-05T09:30:00'), ZLIST: 3 },
          ],
        }),
      },
      folder,
    );
    expect(found.reminders).toEqual([
      {
        reminder_identifier: 'ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB',
        title: 'Impfung auffrischen',
        notes: 'Tetanus',
        list: 'Gesundheit',
        due_at: '2026-03-01T00:00:00',
        is_all_day: true,
        is_completed: false,
        completed_at: null,
        is_flagged: true,
        priority: 1,
        created_at: '2026-02-01T10:00:00',
      },
      expect.objectContaining({
        reminder_identifier: 'Data-local.sqlite 1',
        title: 'Rechnung',
        list: null,
        is_completed: true,
        completed_at: '2026-01-05T09:30:00',
      }),
    ]);
  });

  it('of iOS 14 are distinguished from other objects by the entity numbers of their own store', async () => {
    const schema = `CREATE TABLE ZREMCDOBJECT (${COLUMNS}, ZTITLE1 VARCHAR, ZNAME1 VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR)`;
    const stores = 'HomeDomain/Library/Reminders/Container_v1/Stores';
    const storeWith = (reminder: number, list: number) =>
      schemaDatabase(schema, {
        Z_PRIMARYKEY: [
          { Z_ENT: reminder, Z_NAME: 'REMCDReminder' },
          { Z_ENT: list, Z_NAME: 'REMCDList' },
        ],
        ZREMCDOBJECT: [
          { ...VACCINATION, Z_ENT: reminder, ZTITLE: null, ZTITLE1: `Termin ${reminder}` },
          { Z_PK: 7, Z_ENT: list, ZNAME1: 'Gesundheit' },
        ],
      });
    const found = await readWith(
      [reminders],
      { [`${stores}/Data-1.sqlite`]: storeWith(25, 12), [`${stores}/Data-2.sqlite`]: storeWith(12, 25) },
      folder,
    );
    expect(found.reminders.map(({ title, list }) => [title, list])).toEqual([
      ['Termin 25', 'Gesundheit'],
      ['Termin 12', 'Gesundheit'],
    ]);
  });
});
