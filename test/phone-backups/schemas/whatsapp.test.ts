import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { contacts } from '../../../src-shared/ios-backup/artifacts/contacts.ts';
import { whatsapp } from '../../../src-shared/ios-backup/artifacts/whatsapp.ts';
import { protobuf } from '../../fixtures/ios-backup/artifacts/encoders.ts';
import { readWith, schemaDatabase, type Row } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../../fixtures/ios-backup/artifacts/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the WhatsApp schema of 2026', () => {
  const SCHEMA = `
    CREATE TABLE ZWACHATSESSION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZARCHIVED INTEGER,
      ZHIDDEN INTEGER, ZREMOVED INTEGER, ZSESSIONTYPE INTEGER, ZGROUPINFO INTEGER, ZLASTMESSAGEDATE TIMESTAMP,
      ZCONTACTJID VARCHAR, ZPARTNERNAME VARCHAR);
    CREATE TABLE ZWAGROUPMEMBER (Z_PK INTEGER PRIMARY KEY, ZISACTIVE INTEGER, ZISADMIN INTEGER,
      ZCHATSESSION INTEGER, ZMEMBERJID VARCHAR, ZCONTACTNAME VARCHAR, ZFIRSTNAME VARCHAR);
    CREATE TABLE ZWAPROFILEPUSHNAME (Z_PK INTEGER PRIMARY KEY, ZJID VARCHAR, ZPUSHNAME VARCHAR);
    CREATE TABLE ZWAMESSAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZFLAGS INTEGER, ZGROUPEVENTTYPE INTEGER,
      ZISFROMME INTEGER, ZMESSAGETYPE INTEGER, ZSORT INTEGER, ZCHATSESSION INTEGER, ZGROUPMEMBER INTEGER,
      ZMEDIAITEM INTEGER, ZMESSAGEINFO INTEGER,
      ZPARENTMESSAGE INTEGER, ZMESSAGEDATE TIMESTAMP, ZSENTDATE TIMESTAMP, ZFROMJID VARCHAR, ZPUSHNAME VARCHAR,
        ZSTANZAID VARCHAR, ZTEXT VARCHAR, ZTOJID VARCHAR);
    CREATE TABLE ZWAMEDIAITEM (Z_PK INTEGER PRIMARY KEY, ZFILESIZE INTEGER, ZMESSAGE INTEGER, ZLATITUDE FLOAT,
      ZLONGITUDE FLOAT, ZMOVIEDURATION FLOAT, ZMEDIALOCALPATH VARCHAR, ZTITLE VARCHAR, ZVCARDNAME VARCHAR,
      ZVCARDSTRING VARCHAR, ZMETADATA BLOB);
    CREATE TABLE ZWAMESSAGEINFO (Z_PK INTEGER PRIMARY KEY, ZMESSAGE INTEGER, ZRECEIPTINFO BLOB);`;
  const date = apple('2026-02-01T10:00:00');
  const D = 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared';

  const receipts = protobuf([
    [4, 1],
    [
      7,
      [
        [
          1,
          [
            [1, 'R1'],
            [2, '222@lid'],
            [3, '👍'],
            [4, 1_769_940_000_000],
          ],
        ],
        [
          1,
          [
            [2, '41791234567@s.whatsapp.net'],
            [3, '🙏'],
          ],
        ],
        [
          2,
          [
            [1, 'R2'],
            [2, '❤️'],
            [3, 1_769_940_060_000],
          ],
        ],
      ],
    ],
  ]);

  const CHAT_MESSAGES: Row[] = [
    {
      Z_PK: 1,
      ZCHATSESSION: 1,
      ZGROUPMEMBER: 1,
      ZMESSAGEINFO: 9,
      ZMESSAGETYPE: 0,
      ZISFROMME: 0,
      ZMESSAGEDATE: date,
      ZSTANZAID: 'AAA1',
      ZFROMJID: '120363@g.us',
      ZTEXT: 'Guten Morgen',
      ZPUSHNAME: protobuf([
        [1, 'Chloé'],
        [2, 7],
      ]).toString('base64'),
    },
    {
      Z_PK: 2,
      ZCHATSESSION: 1,
      ZGROUPMEMBER: 2,
      ZMEDIAITEM: 1,
      ZMESSAGEINFO: 10,
      ZMESSAGETYPE: 0,
      ZISFROMME: 0,
      ZMESSAGEDATE: date,
      ZSTANZAID: 'AAA2',
      ZFROMJID: '120363@g.us',
      ZTEXT: 'Guten',
    },
    {
      Z_PK: 3,
      ZCHATSESSION: 1,
      ZMESSAGETYPE: 6,
      ZGROUPEVENTTYPE: 7,
      ZISFROMME: 0,
      ZMESSAGEDATE: date,
      ZSTANZAID: 'AAA3',
      ZFROMJID: '120363@g.us',
    },
    {
      Z_PK: 4,
      ZCHATSESSION: 2,
      ZMEDIAITEM: 2,
      ZMESSAGETYPE: 1,
      ZISFROMME: 0,
      ZMESSAGEDATE: date,
      ZSTANZAID: 'AAA4',
      ZFROMJID: '222@lid',
    },
    {
      Z_PK: 5,
      ZCHATSESSION: 2,
      ZMESSAGETYPE: 10,
      ZGROUPEVENTTYPE: 1,
      ZISFROMME: 0,
      ZMESSAGEDATE: date,
      ZSTANZAID: 'AAA5',
      ZFROMJID: '222@lid',
    },
  ];

  const MEDIA_ITEMS: Row[] = [
    {
      Z_PK: 1,
      ZMESSAGE: 2,
      ZMETADATA: protobuf([
        [4, 'Guten'],
        [5, 'AAA1'],
        [6, '111@lid'],
      ]),
    },
    {
      Z_PK: 2,
      ZMESSAGE: 4,
      ZMEDIALOCALPATH: '/Media/a/b/bild.jpg',
      ZVCARDSTRING: 'image/jpeg',
      ZMETADATA: Buffer.from([255, 255]),
    },
  ];

  const addressBook = schemaDatabase(
    'CREATE TABLE ZWAADDRESSBOOKCONTACT (Z_PK INTEGER PRIMARY KEY, ZFULLNAME VARCHAR, ' +
      'ZWHATSAPPID VARCHAR, ZLID VARCHAR, ZPHONENUMBER VARCHAR)',
    {
      ZWAADDRESSBOOKCONTACT: [
        { Z_PK: 1, ZFULLNAME: 'Dr. Frisch', ZWHATSAPPID: '41797654321@s.whatsapp.net', ZLID: '222@lid' },
      ],
    },
  );

  it('reads reactions, replies, names of hidden addresses, and group events', async () => {
    const found = await readWith(
      [contacts, whatsapp],
      {
        [`${D}/ChatStorage.sqlite`]: schemaDatabase(SCHEMA, {
          ZWACHATSESSION: [
            { Z_PK: 1, ZSESSIONTYPE: 1, ZCONTACTJID: '120363@g.us', ZPARTNERNAME: 'Wandern' },
            { Z_PK: 2, ZSESSIONTYPE: 0, ZCONTACTJID: '222@lid' },
          ],
          ZWAGROUPMEMBER: [
            { Z_PK: 1, ZISACTIVE: 1, ZCHATSESSION: 1, ZMEMBERJID: '111@lid', ZCONTACTNAME: '' },
            { Z_PK: 2, ZISACTIVE: 1, ZCHATSESSION: 1, ZMEMBERJID: '222@lid' },
          ],
          ZWAMEDIAITEM: MEDIA_ITEMS,
          ZWAMESSAGEINFO: [
            { Z_PK: 9, ZMESSAGE: 1, ZRECEIPTINFO: receipts },
            { Z_PK: 10, ZMESSAGE: 2, ZRECEIPTINFO: Buffer.from([0x3a, 0xff]) },
          ],
          ZWAMESSAGE: CHAT_MESSAGES,
        }),
        [`${D}/LID.sqlite`]: schemaDatabase(
          'CREATE TABLE ZWAZACCOUNT (Z_PK INTEGER PRIMARY KEY, ZIDENTIFIER VARCHAR, ZPHONENUMBER VARCHAR)',
          { ZWAZACCOUNT: [{ Z_PK: 1, ZIDENTIFIER: '222@lid', ZPHONENUMBER: '+41 79 765 43 21' }] },
        ),
        [`${D}/ContactsV2.sqlite`]: addressBook,
        [`${D}/Message/Media/a/b/bild.jpg`]: 'bytes',
      },
      folder,
    );
    const [first, reply, event, picture, missed] = found.chat_messages;
    expect(first).toMatchObject({ sender: '111@lid', sender_name: 'Chloé', text: 'Guten Morgen' });
    expect(first?.reactions).toEqual([
      {
        kind: 'emoji',
        emoji: '👍',
        sender: '+41797654321',
        sender_name: 'Dr. Frisch',
        is_from_me: false,
        sent_at: '2026-02-01T10:00:00',
      },
      { kind: 'emoji', emoji: '🙏', sender: '+41791234567', sender_name: null, is_from_me: false, sent_at: null },
      { kind: 'emoji', emoji: '❤️', sender: null, sender_name: null, is_from_me: true, sent_at: '2026-02-01T10:01:00' },
    ]);
    expect(reply).toMatchObject({
      sender: '+41797654321',
      sender_name: 'Dr. Frisch',
      reply_to_guid: 'AAA1',
      reactions: [],
    });
    expect(event).toMatchObject({ kind: 'event', sender: null, event: { kind: 'removed' } });
    expect(picture).toMatchObject({
      parent: '222@lid',
      sender_name: 'Dr. Frisch',
      reply_to_guid: null,
      attachments: [{ file_id: `${D}/Message/Media/a/b/bild.jpg`, mime_type: 'image/jpeg' }],
    });
    expect(missed?.event).toEqual({ kind: 'call_missed', handle: null, name: null });
    expect(found.chats.map(({ title, participants }) => [title, participants.map(({ handle }) => handle)])).toEqual([
      ['Wandern', ['111@lid', '+41797654321']],
      ['Dr. Frisch', ['+41797654321']],
    ]);
  });
});
