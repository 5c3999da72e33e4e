import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { calls } from '../../../src-shared/ios-backup/artifacts/calls.ts';
import { recordings, voicemail } from '../../../src-shared/ios-backup/artifacts/voicemail-and-recordings.ts';
import { readWith, schemaDatabase, type Row } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../../fixtures/ios-backup/artifacts/tables.ts';
import { Archive } from '../../fixtures/ios-backup/plist-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the call history schema of iOS 18', () => {
  const CALLS_SCHEMA = `CREATE TABLE ZCALLRECORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZANSWERED INTEGER,
      ZCALLTYPE INTEGER, ZCALL_CATEGORY INTEGER, ZORIGINATED INTEGER, ZREAD INTEGER, ZDATE TIMESTAMP,
      ZDURATION FLOAT, ZADDRESS VARCHAR, ZISO_COUNTRY_CODE VARCHAR, ZNAME VARCHAR, ZSERVICE_PROVIDER VARCHAR,
      ZUNIQUE_ID VARCHAR);
      CREATE TABLE ZHANDLE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTYPE INTEGER, ZNORMALIZEDVALUE VARCHAR,
        ZVALUE VARCHAR); CREATE TABLE Z_2REMOTEPARTICIPANTHANDLES (Z_2REMOTEPARTICIPANTCALLS INTEGER,
        Z_4REMOTEPARTICIPANTHANDLES INTEGER);`;

  const WHATSAPP_CALLS_SCHEMA = `CREATE TABLE ZWAAGGREGATECALLEVENT (Z_PK INTEGER PRIMARY KEY, ZINCOMING INTEGER,
      ZMISSED INTEGER, ZVIDEO INTEGER, ZFIRSTDATE TIMESTAMP);
    CREATE TABLE ZWACDCALLEVENT (Z_PK INTEGER PRIMARY KEY, Z1CALLEVENTS INTEGER, ZDATE TIMESTAMP, ZDURATION FLOAT,
      ZOUTCOME INTEGER, ZCALLIDSTRING VARCHAR, ZGROUPJIDSTRING VARCHAR);
    CREATE TABLE ZWACDCALLEVENTPARTICIPANT (Z_PK INTEGER PRIMARY KEY, Z1PARTICIPANTS INTEGER, ZJIDSTRING VARCHAR);`;

  const CALL_RECORDS: Row[] = [
    {
      Z_PK: 1,
      ZCALLTYPE: 8,
      ZANSWERED: 1,
      ZORIGINATED: 0,
      ZDATE: apple('2026-01-01T08:00:00'),
      ZDURATION: 60.5,
      ZSERVICE_PROVIDER: 'com.apple.FaceTime',
      ZUNIQUE_ID: 'G',
    },
    {
      Z_PK: 2,
      ZCALLTYPE: 0,
      ZANSWERED: 0,
      ZORIGINATED: 0,
      ZDATE: 1,
      ZDURATION: 0,
      ZSERVICE_PROVIDER: 'net.whatsapp.WhatsApp',
      ZUNIQUE_ID: 'W',
    },
    {
      Z_PK: 3,
      ZCALLTYPE: null,
      ZADDRESS: '112',
      ZORIGINATED: 1,
      ZDURATION: 3,
      ZSERVICE_PROVIDER: 'com.apple.Telephony',
      ZUNIQUE_ID: 'T',
    },
  ];

  it('reads participants of group calls, and calls without an address', async () => {
    const found = await readWith(
      [calls],
      {
        'HomeDomain/Library/CallHistoryDB/CallHistory.storedata': schemaDatabase(CALLS_SCHEMA, {
          ZCALLRECORD: CALL_RECORDS,
          ZHANDLE: [
            { Z_PK: 1, ZVALUE: '+41791234567' },
            { Z_PK: 2, ZVALUE: 'oma@example.org' },
          ],
          Z_2REMOTEPARTICIPANTHANDLES: [
            [1, 1],
            [1, 2],
            [2, 1],
          ].map(([call = 0, handle = 0]) => ({ Z_2REMOTEPARTICIPANTCALLS: call, Z_4REMOTEPARTICIPANTHANDLES: handle })),
        }),
      },
      folder,
    );
    expect(
      found.calls.map(({ address, name, service, is_video, direction }) => [
        address,
        name,
        service,
        is_video,
        direction,
      ]),
    ).toEqual([
      ['+41791234567', '+41791234567, oma@example.org', 'facetime_video', true, 'incoming'],
      ['+41791234567', null, 'net.whatsapp.WhatsApp', false, 'incoming'],
      ['112', null, 'phone', false, 'outgoing'],
    ]);
  });

  it('reads the calls of WhatsApp, but not again those that the phone lists', async () => {
    const whatsapp = 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared';
    const seen: Row = { ZCALLTYPE: 0, ZORIGINATED: 0, ZDURATION: 0, ZSERVICE_PROVIDER: 'net.whatsapp.WhatsApp' };
    const found = await readWith(
      [calls],
      {
        'HomeDomain/Library/CallHistoryDB/CallHistory.storedata': schemaDatabase(CALLS_SCHEMA, {
          ZCALLRECORD: [{ ...seen, Z_PK: 1, ZUNIQUE_ID: 'P', ZDATE: apple('2026-03-01T09:00:02') }],
        }),
        [`${whatsapp}/CallHistory.sqlite`]: schemaDatabase(WHATSAPP_CALLS_SCHEMA, {
          ZWAAGGREGATECALLEVENT: [
            { Z_PK: 7, ZINCOMING: 1, ZVIDEO: 0, ZMISSED: 1 },
            { Z_PK: 8, ZINCOMING: 0, ZVIDEO: 1, ZMISSED: 0 },
            { Z_PK: 9, ZINCOMING: 1, ZVIDEO: 0, ZMISSED: 1 },
          ],
          ZWACDCALLEVENT: [
            { Z_PK: 1, Z1CALLEVENTS: 7, ZDATE: apple('2026-03-01T08:59:58'), ZDURATION: 0, ZCALLIDSTRING: 'A' },
            { Z_PK: 2, Z1CALLEVENTS: 8, ZDATE: apple('2026-03-01T09:00:00'), ZDURATION: 75, ZCALLIDSTRING: 'B' },
            { Z_PK: 3, Z1CALLEVENTS: 9, ZDATE: apple('2026-03-02T09:00:00'), ZDURATION: 0, ZCALLIDSTRING: 'C' },
            { Z_PK: 4, Z1CALLEVENTS: null, ZDATE: null, ZDURATION: null, ZCALLIDSTRING: null },
          ],
          ZWACDCALLEVENTPARTICIPANT: [
            { Z_PK: 1, Z1PARTICIPANTS: 8, ZJIDSTRING: '41791234567@s.whatsapp.net' },
            { Z_PK: 2, Z1PARTICIPANTS: 8, ZJIDSTRING: '777@lid' },
            { Z_PK: 3, Z1PARTICIPANTS: 9, ZJIDSTRING: '778@lid' },
          ],
        }),
        [`${whatsapp}/LID.sqlite`]: schemaDatabase(
          'CREATE TABLE ZWAZACCOUNT (Z_PK INTEGER PRIMARY KEY, ZIDENTIFIER VARCHAR, ZPHONENUMBER VARCHAR);',
          { ZWAZACCOUNT: [{ Z_PK: 1, ZIDENTIFIER: '778', ZPHONENUMBER: '436601112223' }] },
        ),
        [`${whatsapp}/ContactsV2.sqlite`]: schemaDatabase(
          `CREATE TABLE ZWAADDRESSBOOKCONTACT (Z_PK INTEGER PRIMARY KEY, ZWHATSAPPID VARCHAR, ZLID VARCHAR,
            ZFULLNAME VARCHAR);`,
          { ZWAADDRESSBOOKCONTACT: [{ Z_PK: 1, ZLID: '777@lid', ZFULLNAME: 'Oma' }] },
        ),
      },
      folder,
    );
    expect(found.calls.map(({ call_identifier: id, address, name }) => [id, address, name])).toEqual([
      ['P', null, null],
      ['B', '+41791234567', '+41791234567, Oma'],
      ['C', '+436601112223', null],
      ['whatsapp-4', null, null],
    ]);
    expect(found.calls.slice(1, 3)).toMatchObject([
      { direction: 'outgoing', is_video: true, is_answered: true, duration_seconds: 75 },
      { direction: 'incoming', is_video: false, is_answered: false, started_at: '2026-03-02T09:00:00' },
    ]);
  });
});

describe('the schemas of voicemail and voice memos', () => {
  it('reads the transcript of a voicemail', async () => {
    const archive = new Archive();
    const transcript = archive.bytes(
      archive.instance(['VMVoicemailTranscript', 'NSObject'], {
        transcriptionString: archive.add('Guten Tag, hier die Praxis.'),
        confidence: 0.9,
      }),
    );
    const schema =
      'CREATE TABLE voicemail (ROWID INTEGER PRIMARY KEY, remote_uid INTEGER, date INTEGER, token ' +
      'TEXT, sender TEXT, callback_num TEXT, duration INTEGER, expiration INTEGER, trashed_date ' +
      'INTEGER, flags INTEGER, receiver TEXT, label TEXT, uuid TEXT); CREATE TABLE map (label TEXT, ' +
      'account TEXT)';
    const V = 'HomeDomain/Library/Voicemail';
    const found = await readWith(
      [voicemail],
      {
        [`${V}/voicemail.db`]: schemaDatabase(schema, {
          voicemail: [
            { ROWID: 1, date: 1_700_000_000, sender: '', callback_num: '+41310000000', duration: 9 },
            { ROWID: 2, date: 1_700_000_100, sender: '+41791234567', duration: 3 },
          ],
        }),
        [`${V}/1.transcript`]: transcript,
        [`${V}/1.m4a`]: 'x',
        [`${V}/2.transcript`]: 'broken',
      },
      folder,
    );
    expect(
      found.voicemails.map(({ sender, transcript: text, relative_path }) => [sender, text, relative_path]),
    ).toEqual([
      ['+41310000000', 'Guten Tag, hier die Praxis.', 'Library/Voicemail/1.m4a'],
      ['+41791234567', null, null],
    ]);
  });

  it('reads the title of a voice memo and ignores a timestamp as title', async () => {
    const schema =
      'CREATE TABLE ZCLOUDRECORDING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZFLAGS INTEGER, ' +
      'ZFOLDER INTEGER, ZDATE TIMESTAMP, ZDURATION FLOAT, ZEVICTIONDATE TIMESTAMP, ZLOCALDURATION ' +
      'FLOAT, ZCUSTOMLABEL VARCHAR, ZCUSTOMLABELFORSORTING VARCHAR, ZENCRYPTEDTITLE VARCHAR, ZPATH ' +
      'VARCHAR, ZUNIQUEID VARCHAR); CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, ZENCRYPTEDNAME ' +
      'VARCHAR, ZUUID VARCHAR)';
    const D = 'AppDomainGroup-group.com.apple.VoiceMemos.shared';
    const found = await readWith(
      [recordings],
      {
        [`${D}/Recordings/CloudRecordings.db`]: schemaDatabase(schema, {
          ZCLOUDRECORDING: [
            { Z_PK: 1, ZENCRYPTEDTITLE: 'Arzt', ZCUSTOMLABEL: '2026-09-01T12:00:00Z', ZPATH: 'a.m4a', ZDURATION: 2 },
            { Z_PK: 2, ZCUSTOMLABEL: '2026-09-01T12:00:00Z', ZPATH: 'b.qta', ZLOCALDURATION: 3 },
            { Z_PK: 3, ZENCRYPTEDTITLE: '', ZCUSTOMLABELFORSORTING: 'Chor', ZPATH: 'gone.m4a' },
          ],
        }),
        [`${D}/Recordings/b.qta`]: 'x',
      },
      folder,
    );
    expect(
      found.recordings.map(({ title, duration_seconds, file_id }) => [title, duration_seconds, file_id === null]),
    ).toEqual([
      ['Arzt', 2, true],
      [null, 3, false],
      ['Chor', 0, true],
    ]);
  });
});
