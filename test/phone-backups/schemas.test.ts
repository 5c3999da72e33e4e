import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { calendar } from '../../src-shared/ios-backup/artifacts/calendar.ts';
import { calls } from '../../src-shared/ios-backup/artifacts/calls.ts';
import { contacts } from '../../src-shared/ios-backup/artifacts/contacts.ts';
import { medications } from '../../src-shared/ios-backup/artifacts/medications.ts';
import { messages } from '../../src-shared/ios-backup/artifacts/messages.ts';
import { notes } from '../../src-shared/ios-backup/artifacts/notes.ts';
import { occurrencesOf } from '../../src-shared/ios-backup/artifacts/occurrences.ts';
import { photos } from '../../src-shared/ios-backup/artifacts/photos.ts';
import { safari } from '../../src-shared/ios-backup/artifacts/safari.ts';
import { recordings, voicemail } from '../../src-shared/ios-backup/artifacts/voicemail-and-recordings.ts';
import { whatsapp } from '../../src-shared/ios-backup/artifacts/whatsapp.ts';
import { attributedBody, noteBody, protobuf } from '../fixtures/ios-backup/artifacts/encoders.ts';
import { readWith, schemaDatabase } from '../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple, appleNs } from '../fixtures/ios-backup/artifacts/tables.ts';
import { Archive, binaryPlist } from '../fixtures/ios-backup/plist-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tables as they were described of real phones: columns that nobody asks for are there, too, and most of them are empty. */
const SMS_26 = `
  CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT NOT NULL, country TEXT, service TEXT NOT NULL, uncanonicalized_id TEXT, person_centric_id TEXT);
  CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, style INTEGER, state INTEGER, account_id TEXT, properties BLOB, chat_identifier TEXT, service_name TEXT, room_name TEXT, display_name TEXT, group_id TEXT, is_filtered INTEGER);
  CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
  CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER, message_date INTEGER DEFAULT 0);
  CREATE TABLE chat_recoverable_message_join (chat_id INTEGER, message_id INTEGER, delete_date INTEGER, ck_sync_state INTEGER);
  CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY, guid TEXT, created_date INTEGER, filename TEXT, uti TEXT, mime_type TEXT, transfer_name TEXT, total_bytes INTEGER, is_sticker INTEGER DEFAULT 0, hide_attachment INTEGER DEFAULT 0);
  CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER);
  CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, text TEXT, handle_id INTEGER DEFAULT 0, subject TEXT, attributedBody BLOB, service TEXT, date INTEGER, date_read INTEGER, date_delivered INTEGER, is_from_me INTEGER DEFAULT 0,
    item_type INTEGER DEFAULT 0, other_handle INTEGER DEFAULT 0, group_title TEXT, group_action_type INTEGER DEFAULT 0, share_status INTEGER DEFAULT 0, associated_message_guid TEXT, associated_message_type INTEGER DEFAULT 0, balloon_bundle_id TEXT,
    payload_data BLOB, message_summary_info BLOB, thread_originator_guid TEXT, thread_originator_part TEXT, date_retracted INTEGER, date_edited INTEGER, is_stewie INTEGER, associated_message_emoji TEXT, sent_or_received_off_grid INTEGER, ck_chat_id TEXT);`;
const SMS = 'HomeDomain/Library/SMS/sms.db';

function archived(
  root: Record<string, string>,
  more: (archive: Archive) => Record<string, ReturnType<Archive['add']>> = () => ({}),
): Buffer {
  const archive = new Archive();
  const fields = {
    ...Object.fromEntries(Object.entries(root).map(([key, value]) => [key, archive.add(value)])),
    ...more(archive),
  };
  return archive.bytes(
    archive.instance(['NSDictionary', 'NSObject'], {
      'NS.keys': Object.keys(fields).map((key) => archive.add(key)),
      'NS.objects': Object.values(fields),
    }),
  );
}
const url = (text: string) => (archive: Archive) => ({
  URL: archive.instance(['NSURL', 'NSObject'], { 'NS.relative': archive.add(text) }),
});

describe('messages of iOS 26', () => {
  const at = appleNs('2026-03-01T08:00:00');
  const read = async (rows: Record<string, unknown>[], more: Record<string, Record<string, unknown>[]> = {}) => {
    const tables = {
      handle: [
        { ROWID: 1, id: '+41791234567', service: 'RCS' },
        { ROWID: 2, id: 'oma@example.org', service: 'iMessage' },
      ],
      chat: [
        { ROWID: 1, guid: 'any;-;+41791234567', style: 45, chat_identifier: '+41791234567', service_name: 'RCS' },
        {
          ROWID: 2,
          guid: 'any;+;chat9',
          style: 43,
          chat_identifier: 'chat9',
          service_name: 'iMessage',
          display_name: 'Familie',
        },
      ],
      chat_handle_join: [
        { chat_id: 1, handle_id: 1 },
        { chat_id: 2, handle_id: 1 },
        { chat_id: 2, handle_id: 2 },
      ],
      message: rows.map((row) => ({ date: at, service: 'iMessage', ...row })),
      ...more,
    };
    return readWith(
      [messages],
      { [SMS]: schemaDatabase(SMS_26, tables as Parameters<typeof schemaDatabase>[1]) },
      folder,
    );
  };

  it('keeps what was lately deleted in its conversation, and what is not joined yet', async () => {
    const found = await read(
      [
        { ROWID: 1, guid: 'A', text: 'gelöscht', handle_id: 1 },
        { ROWID: 2, guid: 'B', text: 'noch lose', handle_id: 2, ck_chat_id: 'any;+;chat9' },
        { ROWID: 3, guid: 'C', text: 'ohne alles', handle_id: 2 },
      ],
      { chat_recoverable_message_join: [{ chat_id: 1, message_id: 1, delete_date: at }] },
    );
    expect(found.messages.map(({ text, parent }) => [text, parent])).toEqual([
      ['gelöscht', 'any;-;+41791234567'],
      ['noch lose', 'any;+;chat9'],
      ['ohne alles', 'handle:oma@example.org'],
    ]);
  });

  it('tells a poll with its choices and voters, and no votes as messages', async () => {
    const poll = archived(
      { an: 'Polls' },
      url(
        `data:,${Buffer.from(
          JSON.stringify({
            version: 1,
            item: {
              title: 'Wann?',
              orderedPollOptions: [
                { optionIdentifier: 'a', text: 'Montag' },
                { optionIdentifier: 'b', text: 'Dienstag' },
              ],
            },
          }),
        ).toString('base64')}?src=p`,
      ),
    );
    const vote = (choice: string, eventType: string) =>
      archived(
        { an: 'Polls' },
        url(
          `data:,${encodeURIComponent(JSON.stringify({ item: { votes: [{ voteOptionIdentifier: choice, participantHandle: 'oma@example.org', eventType }] } }))}`,
        ),
      );
    const bundle = 'com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.messages.Polls';
    const found = await read([
      { ROWID: 1, guid: 'P', text: '\uFFFC', handle_id: 1, balloon_bundle_id: bundle, payload_data: poll },
      {
        ROWID: 2,
        guid: 'V1',
        handle_id: 2,
        balloon_bundle_id: bundle,
        payload_data: vote('a', 'selected'),
        associated_message_type: 4000,
        associated_message_guid: 'p:0/P',
      },
      {
        ROWID: 3,
        guid: 'V2',
        handle_id: 2,
        payload_data: vote('a', 'deselected'),
        associated_message_type: 4000,
        associated_message_guid: 'P',
      },
      {
        ROWID: 4,
        guid: 'V3',
        handle_id: 2,
        payload_data: vote('b', 'selected'),
        associated_message_type: 4000,
        associated_message_guid: 'P',
      },
    ]);
    expect(found.messages.map(({ message_guid, text }) => [message_guid, text])).toEqual([
      ['P', 'Wann?\n• Montag\n• Dienstag (oma@example.org)'],
    ]);
  });

  it('tells what an app showed, and leaves a damaged payload alone', async () => {
    const found = await read([
      {
        ROWID: 1,
        guid: 'A',
        text: '\uFFFC',
        handle_id: 1,
        balloon_bundle_id: 'x:y:com.example.game',
        payload_data: archived({ an: 'Spiel', ldtext: 'Dein Zug' }),
      },
      { ROWID: 2, guid: 'B', handle_id: 1, balloon_bundle_id: 'x', payload_data: Buffer.from('bplist00 broken') },
      {
        ROWID: 3,
        guid: 'C',
        text: 'https://praxis.example',
        handle_id: 1,
        balloon_bundle_id: 'com.apple.messages.URLBalloonProvider',
        payload_data: archived({ an: 'nie' }),
      },
    ]);
    expect(found.messages.map(({ text }) => text)).toEqual(['Dein Zug', null, 'https://praxis.example']);
  });

  it('knows who joined, left and was removed, stickers on messages, and reactions of every kind', async () => {
    const found = await read(
      [
        { ROWID: 1, guid: 'E1', handle_id: 1, item_type: 1, group_action_type: 0, other_handle: 2 },
        { ROWID: 2, guid: 'E2', handle_id: 1, item_type: 1, group_action_type: 1, other_handle: 2 },
        { ROWID: 3, guid: 'E3', handle_id: 2, item_type: 3 },
        { ROWID: 4, guid: 'E4', handle_id: 1, item_type: 2, group_title: 'Ferien' },
        { ROWID: 5, guid: 'E5', handle_id: 1, item_type: 3, group_action_type: 1 },
        { ROWID: 6, guid: 'E6', handle_id: 1, item_type: 6 },
        {
          ROWID: 7,
          guid: 'M',
          handle_id: 1,
          attributedBody: attributedBody('Hallo'),
          service: 'iMessageLite',
          is_stewie: 1,
        },
        { ROWID: 8, guid: 'S', handle_id: 2, associated_message_type: 1000, associated_message_guid: 'p:0/M' },
        ...[2000, 2005, 2006, 2007].map((associated_message_type, i) => ({
          ROWID: 9 + i,
          guid: `R${i}`,
          handle_id: 2,
          associated_message_type,
          associated_message_guid: 'p:0/M',
          associated_message_emoji: associated_message_type === 2006 ? '🫶🏽' : null,
        })),
        {
          ROWID: 20,
          guid: 'R9',
          handle_id: 2,
          associated_message_type: 3006,
          associated_message_guid: 'p:0/M',
          associated_message_emoji: '🫶🏽',
        },
        {
          ROWID: 21,
          guid: 'R10',
          handle_id: 0,
          is_from_me: 1,
          associated_message_type: 2006,
          associated_message_guid: 'bp:M',
          associated_message_emoji: '❤️',
        },
      ].map((row) => row as Record<string, unknown>),
      { chat_message_join: [1, 2, 3, 4, 5, 6, 7, 8].map((message_id) => ({ chat_id: 2, message_id })) },
    );
    expect(found.messages.slice(0, 6).map(({ kind, event, text }) => [kind, event?.kind, event?.handle, text])).toEqual(
      [
        ['event', 'joined', 'oma@example.org', null],
        ['event', 'removed', 'oma@example.org', null],
        ['event', 'left', null, null],
        ['event', 'named', null, 'Ferien'],
        ['event', 'picture_changed', null, null],
        ['event', 'call', null, null],
      ],
    );
    expect(found.messages[6]).toMatchObject({ text: 'Hallo', service: 'iMessageLite', event: null });
    expect(found.messages[6]?.reactions.map(({ kind, emoji, is_from_me }) => [kind, emoji, is_from_me])).toEqual([
      ['loved', null, false],
      ['questioned', null, false],
      ['sticker', null, false],
      ['emoji', '❤️', true],
    ]);
    expect(found.messages[7]).toMatchObject({ kind: 'sticker', reply_to_guid: 'M' });
  });
});

describe('WhatsApp of 2026', () => {
  const SCHEMA = `
    CREATE TABLE ZWACHATSESSION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZARCHIVED INTEGER, ZHIDDEN INTEGER, ZREMOVED INTEGER, ZSESSIONTYPE INTEGER, ZGROUPINFO INTEGER, ZLASTMESSAGEDATE TIMESTAMP, ZCONTACTJID VARCHAR, ZPARTNERNAME VARCHAR);
    CREATE TABLE ZWAGROUPMEMBER (Z_PK INTEGER PRIMARY KEY, ZISACTIVE INTEGER, ZISADMIN INTEGER, ZCHATSESSION INTEGER, ZMEMBERJID VARCHAR, ZCONTACTNAME VARCHAR, ZFIRSTNAME VARCHAR);
    CREATE TABLE ZWAPROFILEPUSHNAME (Z_PK INTEGER PRIMARY KEY, ZJID VARCHAR, ZPUSHNAME VARCHAR);
    CREATE TABLE ZWAMESSAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZFLAGS INTEGER, ZGROUPEVENTTYPE INTEGER, ZISFROMME INTEGER, ZMESSAGETYPE INTEGER, ZSORT INTEGER, ZCHATSESSION INTEGER, ZGROUPMEMBER INTEGER, ZMEDIAITEM INTEGER, ZMESSAGEINFO INTEGER,
      ZPARENTMESSAGE INTEGER, ZMESSAGEDATE TIMESTAMP, ZSENTDATE TIMESTAMP, ZFROMJID VARCHAR, ZPUSHNAME VARCHAR, ZSTANZAID VARCHAR, ZTEXT VARCHAR, ZTOJID VARCHAR);
    CREATE TABLE ZWAMEDIAITEM (Z_PK INTEGER PRIMARY KEY, ZFILESIZE INTEGER, ZMESSAGE INTEGER, ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZMOVIEDURATION FLOAT, ZMEDIALOCALPATH VARCHAR, ZTITLE VARCHAR, ZVCARDNAME VARCHAR, ZVCARDSTRING VARCHAR, ZMETADATA BLOB);
    CREATE TABLE ZWAMESSAGEINFO (Z_PK INTEGER PRIMARY KEY, ZMESSAGE INTEGER, ZRECEIPTINFO BLOB);`;
  const D = 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared';

  it('has reactions, replies, names behind new addresses, and events of a group', async () => {
    const date = apple('2026-02-01T10:00:00');
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
          ZWAMEDIAITEM: [
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
          ],
          ZWAMESSAGEINFO: [
            { Z_PK: 9, ZMESSAGE: 1, ZRECEIPTINFO: receipts },
            { Z_PK: 10, ZMESSAGE: 2, ZRECEIPTINFO: Buffer.from([0x3a, 0xff]) },
          ],
          ZWAMESSAGE: [
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
          ],
        }),
        [`${D}/LID.sqlite`]: schemaDatabase(
          'CREATE TABLE ZWAZACCOUNT (Z_PK INTEGER PRIMARY KEY, ZIDENTIFIER VARCHAR, ZPHONENUMBER VARCHAR)',
          { ZWAZACCOUNT: [{ Z_PK: 1, ZIDENTIFIER: '222@lid', ZPHONENUMBER: '+41 79 765 43 21' }] },
        ),
        [`${D}/ContactsV2.sqlite`]: schemaDatabase(
          'CREATE TABLE ZWAADDRESSBOOKCONTACT (Z_PK INTEGER PRIMARY KEY, ZFULLNAME VARCHAR, ZWHATSAPPID VARCHAR, ZLID VARCHAR, ZPHONENUMBER VARCHAR)',
          {
            ZWAADDRESSBOOKCONTACT: [
              { Z_PK: 1, ZFULLNAME: 'Dr. Frisch', ZWHATSAPPID: '41797654321@s.whatsapp.net', ZLID: '222@lid' },
            ],
          },
        ),
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

describe('notes of iOS 26', () => {
  const SCHEMA = `CREATE TABLE ZICCLOUDSYNCINGOBJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPASSWORDPROTECTED INTEGER, ZMARKEDFORDELETION INTEGER, ${['', 1, 2, 3, 4, 5, 6, 7, 8].map((n) => `ZACCOUNT${n} INTEGER`).join(', ')}, ZMEDIA INTEGER, ZNOTE INTEGER, ZNOTE1 INTEGER,
    ZPARENTATTACHMENT INTEGER, ZATTACHMENT1 INTEGER, ZISPINNED INTEGER, ZFOLDER INTEGER, ZNOTEDATA INTEGER, ZFOLDERTYPE INTEGER, ZCREATIONDATE TIMESTAMP, ZMODIFICATIONDATE TIMESTAMP, ZCREATIONDATE1 TIMESTAMP, ZCREATIONDATE2 TIMESTAMP, ZCREATIONDATE3 TIMESTAMP, ZMODIFICATIONDATE1 TIMESTAMP,
    ZIDENTIFIER VARCHAR, ZHANDWRITINGSUMMARY VARCHAR, ZOCRSUMMARY VARCHAR, ZTITLE VARCHAR, ZTYPEUTI VARCHAR, ZURLSTRING VARCHAR, ZUSERTITLE VARCHAR, ZALTTEXT VARCHAR, ZTOKENCONTENTIDENTIFIER VARCHAR, ZTYPEUTI1 VARCHAR, ZFILENAME VARCHAR, ZGENERATION1 VARCHAR, ZSNIPPET VARCHAR, ZTITLE1 VARCHAR,
    ZNAME VARCHAR, ZTITLE2 VARCHAR, ZMERGEABLEDATA BLOB, ZMERGEABLEDATA1 BLOB, ZMERGEABLEDATA2 BLOB);
    CREATE TABLE ZICNOTEDATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNOTE INTEGER, ZCRYPTOTAG BLOB, ZDATA BLOB);`;
  const D = 'AppDomainGroup-group.com.apple.notes';

  it('has tags and links in the text, boxes to tick, accounts, scans of several pages, and what lies in the trash', async () => {
    const inline = 'com.apple.notes.inlinetextattachment';
    const found = await readWith(
      [notes],
      {
        [`${D}/NoteStore.sqlite`]: schemaDatabase(SCHEMA, {
          ZICCLOUDSYNCINGOBJECT: [
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
          ],
          ZICNOTEDATA: [
            {
              Z_PK: 1,
              ZNOTE: 4,
              ZDATA: noteBody([
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
              ]),
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

describe('calls of iOS 18', () => {
  it('has people of group calls and calls without an address', async () => {
    const schema = `CREATE TABLE ZCALLRECORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZANSWERED INTEGER, ZCALLTYPE INTEGER, ZCALL_CATEGORY INTEGER, ZORIGINATED INTEGER, ZREAD INTEGER, ZDATE TIMESTAMP, ZDURATION FLOAT, ZADDRESS VARCHAR, ZISO_COUNTRY_CODE VARCHAR, ZNAME VARCHAR, ZSERVICE_PROVIDER VARCHAR, ZUNIQUE_ID VARCHAR);
      CREATE TABLE ZHANDLE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTYPE INTEGER, ZNORMALIZEDVALUE VARCHAR, ZVALUE VARCHAR); CREATE TABLE Z_2REMOTEPARTICIPANTHANDLES (Z_2REMOTEPARTICIPANTCALLS INTEGER, Z_4REMOTEPARTICIPANTHANDLES INTEGER);`;
    const found = await readWith(
      [calls],
      {
        'HomeDomain/Library/CallHistoryDB/CallHistory.storedata': schemaDatabase(schema, {
          ZCALLRECORD: [
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
          ],
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
});

describe('calendars', () => {
  const SCHEMA = `CREATE TABLE Store (ROWID INTEGER PRIMARY KEY, name TEXT, type INTEGER); CREATE TABLE Calendar (ROWID INTEGER PRIMARY KEY, store_id INTEGER, title TEXT, color TEXT, UUID TEXT); CREATE TABLE Location (ROWID INTEGER PRIMARY KEY, title TEXT, address TEXT, latitude INTEGER, longitude INTEGER, item_owner_id INTEGER);
    CREATE TABLE CalendarItem (ROWID INTEGER PRIMARY KEY, summary TEXT, location_id INTEGER, description TEXT, start_date REAL, start_tz TEXT, end_date REAL, end_tz TEXT, all_day INTEGER, calendar_id INTEGER, orig_item_id INTEGER, orig_date REAL, organizer_id INTEGER, entity_type INTEGER, UUID TEXT, unique_identifier TEXT, url TEXT, conference_url_detected TEXT, calendar_scale TEXT);
    CREATE TABLE Recurrence (ROWID INTEGER PRIMARY KEY, frequency INTEGER, interval INTEGER, week_start INTEGER, count INTEGER, cached_end_date REAL, end_date REAL, specifier TEXT, by_month_months INTEGER, owner_id INTEGER, UUID TEXT); CREATE TABLE ExceptionDate (ROWID INTEGER PRIMARY KEY, owner_id INTEGER, date REAL, sync_order INTEGER);`;
  it('move an occurrence of a daily series without losing another, and know birthdays from before 1970', async () => {
    const found = await readWith(
      [calendar],
      {
        'HomeDomain/Library/Calendar/Calendar.sqlitedb': schemaDatabase(SCHEMA, {
          Calendar: [{ ROWID: 1, title: 'Familie', UUID: 'C1' }],
          Location: [{ ROWID: 1, address: 'Marktgasse 3, Bern' }],
          Recurrence: [
            { frequency: 1, interval: 1, count: 5, owner_id: 1 },
            { frequency: 4, interval: 1, owner_id: 3 },
            { frequency: 1, interval: 1, count: 3, owner_id: 4 },
          ],
          ExceptionDate: [{ owner_id: 4, date: apple('2026-06-02T00:00:00') }],
          CalendarItem: [
            {
              ROWID: 1,
              summary: 'Tropfen',
              location_id: 1,
              start_date: apple('2026-03-26T07:00:00'),
              end_date: apple('2026-03-26T07:15:00'),
              start_tz: 'Europe/Zurich',
              all_day: 0,
              calendar_id: 1,
              UUID: 'S',
              entity_type: 2,
              conference_url_detected: 'https://meet.example',
            },
            {
              ROWID: 2,
              summary: 'Tropfen',
              start_date: apple('2026-03-28T18:00:00'),
              end_date: apple('2026-03-28T18:15:00'),
              start_tz: 'Europe/Zurich',
              all_day: 0,
              calendar_id: 1,
              UUID: 'D',
              entity_type: 2,
              orig_item_id: 1,
              orig_date: apple('2026-03-27T07:00:00'),
            },
            {
              ROWID: 3,
              summary: 'Oma',
              start_date: apple('1944-05-08T00:00:00'),
              end_date: apple('1944-05-08T23:59:59'),
              start_tz: '_float',
              all_day: 1,
              calendar_id: 1,
              UUID: 'B',
              entity_type: 2,
              calendar_scale: 'gregorian',
            },
            {
              ROWID: 4,
              summary: 'Kur',
              start_date: apple('2026-06-01T00:00:00'),
              end_date: apple('2026-06-01T23:59:59'),
              start_tz: '_float',
              all_day: 1,
              calendar_id: 1,
              UUID: 'K',
              entity_type: 2,
            },
          ],
        }),
      },
      folder,
    );
    expect(found.events[0]).toMatchObject({
      location: 'Marktgasse 3, Bern',
      url: 'https://meet.example',
      excluded_dates: [],
    });
    expect(found.events[1]).toMatchObject({ series_identifier: 'S', original_starts_at: '2026-03-27T07:00:00' });
    // The clocks change on the 29th: the hour of Zurich stays.
    expect(occurrencesOf(found.events, '2026-03-25', '2026-03-31').map(({ starts_at }) => starts_at)).toEqual([
      '2026-03-26T07:00:00',
      '2026-03-28T07:00:00',
      '2026-03-28T18:00:00',
      '2026-03-29T06:00:00',
      '2026-03-30T06:00:00',
    ]);
    expect(
      occurrencesOf(found.events, '2026-05-08', '2026-05-08').map(({ title, starts_at }) => [title, starts_at]),
    ).toEqual([['Oma', '2026-05-08T00:00:00']]);
    expect(occurrencesOf(found.events, '2026-06-01', '2026-06-05').map(({ starts_at }) => starts_at)).toEqual([
      '2026-06-01T00:00:00',
      '2026-06-03T00:00:00',
    ]);
  });
});

describe('alarms of a calendar', () => {
  const ITEMS =
    'CREATE TABLE CalendarItem (ROWID INTEGER PRIMARY KEY, summary TEXT, start_date REAL, start_tz TEXT, end_date REAL, all_day INTEGER, calendar_id INTEGER, travel_time INTEGER, entity_type INTEGER, UUID TEXT)';
  const NEW = `CREATE TABLE Store (ROWID INTEGER PRIMARY KEY, name TEXT, default_alarm_offset INTEGER, default_all_day_alarm_offset INTEGER); CREATE TABLE Calendar (ROWID INTEGER PRIMARY KEY, store_id INTEGER, title TEXT, UUID TEXT); ${ITEMS};
    CREATE TABLE Alarm (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, trigger_date REAL, trigger_interval INTEGER, type INTEGER, calendaritem_owner_id INTEGER, calendar_owner_id INTEGER, external_mod_tag TEXT, UUID TEXT, proximity INTEGER, disabled INTEGER, location_id INTEGER, acknowledgedDate REAL, default_alarm INTEGER, orig_alarm_id INTEGER)`;
  const event = (id: number, more: Record<string, unknown> = {}) => ({
    ROWID: id,
    summary: `E${id}`,
    start_date: apple('2026-03-26T07:00:00'),
    end_date: apple('2026-03-26T08:00:00'),
    all_day: 0,
    calendar_id: 1,
    entity_type: 2,
    UUID: `U${id}`,
    ...more,
  });
  const read = async (schema: string, rows: Parameters<typeof schemaDatabase>[1]) =>
    (
      await readWith(
        [calendar],
        { 'HomeDomain/Library/Calendar/Calendar.sqlitedb': schemaDatabase(schema, rows) },
        folder,
      )
    ).events.map(({ alarms }) => alarms.map(({ seconds, at }) => at ?? seconds));

  it('of iOS 26 ring by an interval or at a moment, by the default of the account, and earlier by the way there', async () => {
    const own = (owner: number, more: Record<string, unknown>) => ({
      calendaritem_owner_id: owner,
      calendar_owner_id: -1,
      proximity: 0,
      disabled: 0,
      default_alarm: 0,
      orig_alarm_id: 0,
      type: 0,
      ...more,
    });
    expect(
      await read(NEW, {
        Store: [{ ROWID: 1, default_alarm_offset: -1800, default_all_day_alarm_offset: -54_000 }, { ROWID: 2 }],
        Calendar: [
          { ROWID: 1, store_id: 1, title: 'A' },
          { ROWID: 2, store_id: 2, title: 'B' },
        ],
        CalendarItem: [
          event(1),
          event(2, { all_day: 1 }),
          event(3, { calendar_id: 2 }),
          event(4, { travel_time: 1200 }),
          event(5),
          event(6),
          event(7),
          event(8),
        ],
        Alarm: [
          own(1, { trigger_interval: 0, default_alarm: 1 }),
          own(1, { trigger_interval: -3600 }),
          own(1, { trigger_interval: -3600 }),
          own(2, { trigger_interval: 0, default_alarm: 1 }),
          // The account has no default, and the row's own 0 means nothing.
          own(3, { trigger_interval: 0, default_alarm: 1 }),
          own(4, { trigger_interval: -300 }),
          own(5, { trigger_interval: 0x7f_ff_ff_ff, trigger_date: apple('2026-03-25T18:00:00') }),
          own(5, { trigger_interval: 0, trigger_date: 1.175_494_35e-38 }),
          own(6, { trigger_interval: -60, disabled: 1 }),
          own(6, { trigger_interval: 0, proximity: 1 }),
          own(6, { trigger_date: apple('2026-03-26T06:55:00'), orig_alarm_id: 9 }),
          own(6, { trigger_date: apple('1976-04-01T00:55:45') }),
          own(6, { trigger_interval: -1e12 }),
          own(6, {}),
          { calendar_owner_id: 1, calendaritem_owner_id: -1, trigger_interval: -77 },
          ...Array.from({ length: 500 }, (_, index) => own(8, { trigger_interval: -index })),
        ],
      }),
    ).toEqual([
      [-3600, -1800],
      [-54_000],
      [],
      [-1500],
      [0, '2026-03-25T18:00:00'],
      [],
      [],
      Array.from({ length: 20 }, (_, index) => index - 19),
    ]);
  });

  it('of iOS 12 hold their interval themselves; of another shape they are left out, and the events stay', async () => {
    const rest = { Calendar: [{ ROWID: 1, title: 'A' }], CalendarItem: [event(1)] };
    const old = `CREATE TABLE Calendar (ROWID INTEGER PRIMARY KEY, title TEXT); ${ITEMS};`;
    expect(
      await read(
        `${old} CREATE TABLE Alarm (ROWID INTEGER PRIMARY KEY, trigger_date REAL, trigger_interval INTEGER, owner_id INTEGER, default_alarm INTEGER)`,
        { ...rest, Alarm: [{ owner_id: 1, trigger_interval: -900, default_alarm: 1 }] },
      ),
    ).toEqual([[-900]]);
    expect(
      await read(`${old} CREATE TABLE Alarm (id INTEGER PRIMARY KEY, whatever TEXT)`, {
        ...rest,
        Alarm: [{ id: 1, whatever: 'x' }],
      }),
    ).toEqual([[]]);
    expect(
      await read(
        `${old} CREATE TABLE Alarm (ROWID INTEGER PRIMARY KEY, trigger_date TEXT, trigger_interval TEXT, calendaritem_owner_id TEXT)`,
        {
          ...rest,
          Alarm: [
            { trigger_interval: 'soon', calendaritem_owner_id: 'me' },
            { trigger_interval: '-60', calendaritem_owner_id: '1' },
          ],
        },
      ),
    ).toEqual([[-60]]);
    expect(await read(old, rest)).toEqual([[]]);
  });
});

describe('Safari of iOS 18', () => {
  const BOOKMARKS = `CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, special_id INTEGER DEFAULT 0, parent INTEGER, type INTEGER, subtype INTEGER DEFAULT 0, title TEXT, url TEXT COLLATE NOCASE, num_children INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0, order_index INTEGER DEFAULT 0, external_uuid TEXT UNIQUE, read INTEGER DEFAULT NULL, last_modified REAL DEFAULT NULL,
    server_id TEXT, deleted INTEGER DEFAULT 0, extra_attributes BLOB DEFAULT NULL, local_attributes BLOB DEFAULT NULL, date_closed REAL)`;
  const HISTORY =
    'CREATE TABLE history_items (id INTEGER PRIMARY KEY, url TEXT, visit_count INTEGER); CREATE TABLE history_visits (id INTEGER PRIMARY KEY, history_item INTEGER, visit_time REAL, title TEXT, origin INTEGER)';
  it('has bookmarks by the clock of 1970, tabs of groups, and histories of profiles', async () => {
    const found = await readWith(
      [safari],
      {
        'HomeDomain/Library/Safari/Bookmarks.db': schemaDatabase(BOOKMARKS, {
          bookmarks: [
            { id: 0, type: 1, title: 'Root' },
            { id: 1, special_id: 1, parent: 0, type: 1, title: 'BookmarksBar' },
            {
              id: 2,
              parent: 1,
              type: 0,
              title: 'Praxis',
              url: 'https://praxis.example',
              external_uuid: 'B',
              last_modified: Date.parse('2021-04-05T06:07:08Z') / 1000,
            },
            {
              id: 3,
              parent: 0,
              type: 0,
              title: 'Lesen',
              url: 'https://lesen.example',
              external_uuid: 'R',
              read: 0,
              extra_attributes: binaryPlist({
                'com.apple.ReadingList': { DateAdded: new Date('2020-02-03T04:05:06Z'), PreviewText: 'x' },
              }),
            },
          ],
        }),
        'HomeDomain/Library/Safari/SafariTabs.db': schemaDatabase(BOOKMARKS, {
          bookmarks: [
            { id: 1, parent: 0, type: 1, title: 'Ärzte' },
            {
              id: 2,
              parent: 1,
              type: 0,
              title: 'Labor',
              url: 'https://labor.example',
              external_uuid: 'T',
              local_attributes: binaryPlist({ LastVisitTime: new Date('2026-02-28T00:04:46Z'), TabIndex: 3 }),
            },
          ],
        }),
        'HomeDomain/Library/Safari/BrowserState.db': schemaDatabase(
          'CREATE TABLE tabs (id INTEGER PRIMARY KEY, uuid TEXT, title TEXT, url TEXT, last_viewed_time REAL)',
          { tabs: [{ id: 1, uuid: 'old', title: 'alt', url: 'https://alt.example' }] },
        ),
        'HomeDomain/Library/Safari/History.db': schemaDatabase(HISTORY, {
          history_items: [{ id: 1, url: 'https://a.example', visit_count: 1 }],
          history_visits: [{ id: 1, history_item: 1, visit_time: apple('2026-01-01T00:00:00'), title: 'A' }],
        }),
        'AppDomain-com.apple.mobilesafari/Library/Safari/Profiles/8E/History.db': schemaDatabase(HISTORY, {
          history_items: [{ id: 1, url: 'https://b.example', visit_count: 4 }],
          history_visits: [{ id: 1, history_item: 1, visit_time: apple('2026-01-02T00:00:00'), title: 'B' }],
        }),
      },
      folder,
    );
    expect(found.bookmarks.map(({ title, kind, folder: of, added_at }) => [title, kind, of, added_at])).toEqual([
      ['Praxis', 'bookmark', 'BookmarksBar', '2021-04-05T06:07:08'],
      ['Lesen', 'reading_list', 'Root', '2020-02-03T04:05:06'],
      ['Labor', 'tab', 'Ärzte', '2026-02-28T00:04:46'],
    ]);
    expect(found.visits.map(({ url: address, visited_at }) => [address, visited_at])).toEqual([
      ['https://a.example', '2026-01-01T00:00:00'],
      ['https://b.example', '2026-01-02T00:00:00'],
    ]);
  });
});

describe('voice', () => {
  it('messages have what the phone understood', async () => {
    const archive = new Archive();
    const transcript = archive.bytes(
      archive.instance(['VMVoicemailTranscript', 'NSObject'], {
        transcriptionString: archive.add('Guten Tag, hier die Praxis.'),
        confidence: 0.9,
      }),
    );
    const schema =
      'CREATE TABLE voicemail (ROWID INTEGER PRIMARY KEY, remote_uid INTEGER, date INTEGER, token TEXT, sender TEXT, callback_num TEXT, duration INTEGER, expiration INTEGER, trashed_date INTEGER, flags INTEGER, receiver TEXT, label TEXT, uuid TEXT); CREATE TABLE map (label TEXT, account TEXT)';
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
  it('memos have their title, and no moment for one', async () => {
    const schema =
      'CREATE TABLE ZCLOUDRECORDING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZFLAGS INTEGER, ZFOLDER INTEGER, ZDATE TIMESTAMP, ZDURATION FLOAT, ZEVICTIONDATE TIMESTAMP, ZLOCALDURATION FLOAT, ZCUSTOMLABEL VARCHAR, ZCUSTOMLABELFORSORTING VARCHAR, ZENCRYPTEDTITLE VARCHAR, ZPATH VARCHAR, ZUNIQUEID VARCHAR); CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, ZENCRYPTEDNAME VARCHAR, ZUUID VARCHAR)';
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

describe('photo libraries', () => {
  it.each([
    [12, 'ZGENERICASSET', 'Z_23ASSETS', 'Z_23ALBUMS', 'Z_30ASSETS'],
    [13, 'ZGENERICASSET', 'Z_26ASSETS', 'Z_26ALBUMS', 'Z_34ASSETS'],
    [18, 'ZASSET', 'Z_30ASSETS', 'Z_30ALBUMS', 'Z_3ASSETS'],
    [26, 'ZASSET', 'Z_33ASSETS', 'Z_33ALBUMS', 'Z_3ASSETS'],
  ])('of iOS %i: %s joined by %s', async (release, table, join, albums, assets) => {
    const schema = `CREATE TABLE ${table} (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZKINDSUBTYPE INTEGER, ZHIDDEN INTEGER, ZFAVORITE INTEGER, ZTRASHEDSTATE INTEGER, ZADDITIONALATTRIBUTES INTEGER, ZDATECREATED TIMESTAMP, ZDIRECTORY VARCHAR, ZFILENAME VARCHAR, ZUUID VARCHAR ${release > 14 ? ', ZISDETECTEDSCREENSHOT INTEGER' : ''});
      CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZTITLE VARCHAR, ZUUID VARCHAR, ZTRASHEDSTATE INTEGER); CREATE TABLE "${join}" ("${albums}" INTEGER, "${assets}" INTEGER, "Z_FOK_${assets.slice(2)}" INTEGER); CREATE TABLE Z_3MEMORIESBEINGKEYASSETS (Z_3KEYASSETS INTEGER, Z_44MEMORIES INTEGER);
      CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER, ZORIGINALFILENAME VARCHAR, ZTIMEZONEOFFSET INTEGER, ZORIGINALFILESIZE INTEGER);`;
    const path = 'CameraRollDomain/Media/PhotoData/CPLAssets/group1/U.JPG';
    const found = await readWith(
      [photos],
      {
        [path]: 'x',
        'CameraRollDomain/Media/PhotoData/Photos.sqlite': schemaDatabase(schema, {
          [table]: [
            {
              Z_PK: 1,
              ZKIND: 0,
              ZDIRECTORY: 'PhotoData/CPLAssets/group1',
              ZFILENAME: 'U.JPG',
              ZUUID: 'A',
              ZDATECREATED: apple('2020-01-01T00:00:00'),
              ...(release > 14 ? { ZISDETECTEDSCREENSHOT: 1 } : { ZKINDSUBTYPE: 10 }),
            },
          ],
          ZGENERICALBUM: [
            { Z_PK: 7, ZKIND: 2, ZTITLE: 'Befunde', ZUUID: 'L' },
            { Z_PK: 8, ZKIND: 3571, ZTITLE: 'progress-sync' },
          ],
          [join]: [
            { [albums]: 7, [assets]: 1 },
            { [albums]: 8, [assets]: 1 },
          ],
          ZADDITIONALASSETATTRIBUTES: [{ Z_PK: 1, ZASSET: 1, ZORIGINALFILENAME: 'IMG_1.JPG', ZTIMEZONEOFFSET: 7200 }],
        }),
      },
      folder,
    );
    expect(found.photos[0]).toMatchObject({
      file_id: path,
      original_filename: 'IMG_1.JPG',
      timezone_offset_minutes: 120,
      metadata: { albums: ['Befunde'], is_screenshot: true },
    });
    expect(found.albums).toEqual([{ album_id: 'L', title: 'Befunde', kind: 'album', photo_count: 1 }]);
  });
});

describe('contacts and medicines', () => {
  it('have accounts elsewhere, titles before the name, and doses as they were logged', async () => {
    const book = `CREATE TABLE ABPerson (ROWID INTEGER PRIMARY KEY, First TEXT, Last TEXT, Middle TEXT, FirstPhonetic TEXT, Organization TEXT, Department TEXT, Note TEXT, Kind INTEGER, Birthday TEXT, JobTitle TEXT, Nickname TEXT, Prefix TEXT, Suffix TEXT, ModificationDate INTEGER, ExternalUUID TEXT, guid TEXT); CREATE TABLE ABMultiValue (UID INTEGER PRIMARY KEY, record_id INTEGER, property INTEGER, identifier INTEGER, label INTEGER, value TEXT, guid TEXT);
      CREATE TABLE ABMultiValueLabel (value TEXT, UNIQUE(value)); CREATE TABLE ABMultiValueEntry (parent_id INTEGER, key INTEGER, value TEXT, UNIQUE(parent_id, key)); CREATE TABLE ABMultiValueEntryKey (value TEXT, UNIQUE(value));
      CREATE VIRTUAL TABLE ABPersonFullTextSearch USING fts4(First, Last);`;
    const health = `CREATE TABLE samples (data_id INTEGER PRIMARY KEY, start_date REAL, end_date REAL, data_type INTEGER); CREATE TABLE user_domain_concepts (udc_id INTEGER PRIMARY KEY, uuid BLOB, schema TEXT, type INTEGER, deleted INTEGER, creation_date REAL); CREATE TABLE user_domain_concept_localized_string_properties (ROWID INTEGER PRIMARY KEY, udc_id INTEGER, property_type INTEGER, string_value TEXT, locale TEXT);
      CREATE TABLE medication_dose_event_samples (data_id INTEGER PRIMARY KEY, log_origin INTEGER, schedule_item_identifier TEXT, medication_uuid BLOB, medication_identifier TEXT, scheduled_dose_quantity REAL, dose_quantity REAL, scheduled_date REAL, status INTEGER, hashed_medication_identifier BLOB);`;
    const uuid = Buffer.alloc(16, 7);
    const found = await readWith(
      [contacts, medications],
      {
        'HomeDomain/Library/AddressBook/AddressBook.sqlitedb': schemaDatabase(book, {
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
        'HealthDomain/Health/healthdb_secure.sqlite': schemaDatabase(health, {
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
