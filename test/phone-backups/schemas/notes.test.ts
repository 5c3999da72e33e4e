import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { notes } from '../../../src-shared/ios-backup/artifacts/notes.ts';
import { noteBody } from '../../fixtures/ios-backup/artifacts/encoders.ts';
import { readWith, schemaDatabase, type Row } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../../fixtures/ios-backup/artifacts/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Notes schema of iOS 26', () => {
  const SCHEMA = `CREATE TABLE ZICCLOUDSYNCINGOBJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
    ZISPASSWORDPROTECTED INTEGER, ZMARKEDFORDELETION INTEGER,
    ${['', 1, 2, 3, 4, 5, 6, 7, 8].map((n) => `ZACCOUNT${n} INTEGER`).join(', ')}, ZMEDIA INTEGER, ZNOTE INTEGER,
    ZNOTE1 INTEGER,
    ZPARENTATTACHMENT INTEGER, ZATTACHMENT1 INTEGER, ZISPINNED INTEGER, ZFOLDER INTEGER, ZNOTEDATA INTEGER,
      ZFOLDERTYPE INTEGER, ZCREATIONDATE TIMESTAMP, ZMODIFICATIONDATE TIMESTAMP, ZCREATIONDATE1 TIMESTAMP,
      ZCREATIONDATE2 TIMESTAMP, ZCREATIONDATE3 TIMESTAMP, ZMODIFICATIONDATE1 TIMESTAMP,
    ZIDENTIFIER VARCHAR, ZHANDWRITINGSUMMARY VARCHAR, ZOCRSUMMARY VARCHAR, ZTITLE VARCHAR, ZTYPEUTI VARCHAR,
      ZURLSTRING VARCHAR, ZUSERTITLE VARCHAR, ZALTTEXT VARCHAR, ZTOKENCONTENTIDENTIFIER VARCHAR, ZTYPEUTI1 VARCHAR,
      ZFILENAME VARCHAR, ZGENERATION1 VARCHAR, ZSNIPPET VARCHAR, ZTITLE1 VARCHAR,
    ZNAME VARCHAR, ZTITLE2 VARCHAR, ZMERGEABLEDATA BLOB, ZMERGEABLEDATA1 BLOB, ZMERGEABLEDATA2 BLOB);
    CREATE TABLE ZICNOTEDATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNOTE INTEGER, ZCRYPTOTAG BLOB, ZDATA BLOB);`;
  const inline = 'com.apple.notes.inlinetextattachment';
  const D = 'AppDomainGroup-group.com.apple.notes';

  const OBJECTS: Row[] = [
    { Z_PK: 1, ZIDENTIFIER: 'ACC', ZNAME: 'iCloud' },
    { Z_PK: 2, ZIDENTIFIER: 'F', ZTITLE2: 'Gesundheit', ZACCOUNT8: 1, ZFOLDERTYPE: 0 },
    { Z_PK: 3, ZIDENTIFIER: 'T', ZTITLE2: 'Zuletzt gelöscht', ZACCOUNT8: 1, ZFOLDERTYPE: 1 },
    {
      Z_PK: 4,
      ZIDENTIFIER: 'N',
      ZTITLE1: 'Einkauf',
      ZFOLDER: 2,
      ZACCOUNT7: 1,
      ZCREATIONDATE3: apple('2026-01-01T08:00:00'),
      ZMODIFICATIONDATE1: apple('2026-01-02T08:00:00'),
    },
    { Z_PK: 5, ZIDENTIFIER: 'N2', ZTITLE1: 'Alt', ZFOLDER: 3, ZACCOUNT7: 1 },
    { Z_PK: 6, ZIDENTIFIER: 'TAG', ZNOTE1: 4, ZTYPEUTI1: `${inline}.hashtag`, ZALTTEXT: '#labor' },
    {
      Z_PK: 7,
      ZIDENTIFIER: 'SCAN',
      ZNOTE: 4,
      ZTYPEUTI: 'com.apple.notes.gallery',
      ZTITLE: 'Befund',
      ZMERGEABLEDATA1: noteBody.gallery(['P2', 'P1']),
    },
    {
      Z_PK: 8,
      ZIDENTIFIER: 'P1',
      ZTYPEUTI: 'public.jpeg',
      ZMEDIA: 10,
      ZPARENTATTACHMENT: 7,
      ZOCRSUMMARY: 'TSH 2,4',
    },
    { Z_PK: 9, ZIDENTIFIER: 'P2', ZTYPEUTI: 'public.jpeg', ZMEDIA: 11, ZPARENTATTACHMENT: 7 },
    { Z_PK: 10, ZIDENTIFIER: 'M1', ZFILENAME: 'eins.jpg', ZGENERATION1: '1_G' },
    { Z_PK: 11, ZIDENTIFIER: 'M2', ZFILENAME: 'zwei.jpg', ZGENERATION1: '1_G' },
    { Z_PK: 12, ZIDENTIFIER: 'PDF', ZNOTE: 4, ZTYPEUTI: 'com.apple.paper.doc.pdf', ZTITLE: 'Überweisung' },
    { Z_PK: 13, ZIDENTIFIER: 'GONE', ZNOTE: 4, ZTYPEUTI: 'public.jpeg', ZMARKEDFORDELETION: 1 },
  ];

  const SHOPPING_LIST = noteBody([
    { text: 'Einkauf\n' },
    { text: 'Brot 🥖\n', style: 103, done: true },
    { text: 'Milch', style: 103 },
    { text: '\n', style: 103, done: false },
    { text: 'siehe ' },
    { text: '\uFFFC', attachment: ['TAG', `${inline}.hashtag`] },
    { text: ' und ' },
    { text: '\uFFFC', attachment: ['SCAN', 'com.apple.notes.gallery'] },
    { text: '\uFFFC', attachment: ['GONE', 'public.jpeg'] },
    { text: '\uFFFC', attachment: ['PDF', 'com.apple.paper.doc.pdf'] },
    { text: ' Ende' },
  ]);

  it('reads tags, links, checklists, accounts, scans of several pages and deleted notes', async () => {
    const found = await readWith(
      [notes],
      {
        [`${D}/NoteStore.sqlite`]: schemaDatabase(SCHEMA, {
          ZICCLOUDSYNCINGOBJECT: OBJECTS,
          ZICNOTEDATA: [
            {
              Z_PK: 1,
              ZNOTE: 4,
              ZDATA: SHOPPING_LIST,
            },
            { Z_PK: 2, ZNOTE: 5, ZDATA: noteBody([{ text: 'Alt' }]) },
          ],
        }),
        [`${D}/Accounts/ACC/Media/M1/1_G/eins.jpg`]: '1',
        [`${D}/Accounts/ACC/Media/M2/1_G/zwei.jpg`]: '2',
        [`${D}/Accounts/ACC/FallbackPDFs/PDF/1_X/FallbackPDF.pdf`]: '%PDF-',
      },
      folder,
    );
    const [note, old] = found.notes;
    expect(note).toMatchObject({
      title: 'Einkauf',
      folder: 'Gesundheit',
      account: 'iCloud',
      created_at: '2026-01-01T08:00:00',
      is_deleted: false,
      body: 'Einkauf\nBrot 🥖\nMilch\nsiehe #labor und \uFFFC\uFFFC\uFFFC Ende',
      checklist: [
        { line: 1, is_done: true },
        { line: 2, is_done: false },
      ],
    });
    expect(
      note?.attachments.map(({ kind, relative_path, recognised_text, title }) => [
        kind,
        relative_path?.split('/').at(-1),
        recognised_text,
        title,
      ]),
    ).toEqual([
      ['scan', 'zwei.jpg', null, 'Befund'],
      ['scan', 'eins.jpg', 'TSH 2,4', 'Befund'],
      ['pdf', 'FallbackPDF.pdf', null, 'Überweisung'],
    ]);
    expect(old).toMatchObject({ title: 'Alt', is_deleted: true, account: 'iCloud' });
    expect(found.skipped).toBe(0);
  });
});
