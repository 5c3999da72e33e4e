import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messages } from '../../../src-shared/ios-backup/artifacts/messages.ts';
import { attributedBody } from '../../fixtures/ios-backup/artifacts/encoders.ts';
import { readWith, schemaDatabase } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { appleNs } from '../../fixtures/ios-backup/artifacts/tables.ts';
import { Archive } from '../../fixtures/ios-backup/plist-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tables as descriptions of real phones show them, with the columns that Hearth does not read. */
const SMS_26 = `
  CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT NOT NULL, country TEXT, service TEXT NOT NULL,
    uncanonicalized_id TEXT, person_centric_id TEXT);
  CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, style INTEGER, state INTEGER, account_id TEXT,
    properties BLOB, chat_identifier TEXT, service_name TEXT, room_name TEXT, display_name TEXT, group_id TEXT,
    is_filtered INTEGER);
  CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
  CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER, message_date INTEGER DEFAULT 0);
  CREATE TABLE chat_recoverable_message_join (chat_id INTEGER, message_id INTEGER, delete_date INTEGER,
    ck_sync_state INTEGER);
  CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY, guid TEXT, created_date INTEGER, filename TEXT, uti TEXT,
    mime_type TEXT, transfer_name TEXT, total_bytes INTEGER, is_sticker INTEGER DEFAULT 0,
    hide_attachment INTEGER DEFAULT 0);
  CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER);
  CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, text TEXT, handle_id INTEGER DEFAULT 0,
    subject TEXT, attributedBody BLOB, service TEXT, date INTEGER, date_read INTEGER, date_delivered INTEGER,
    is_from_me INTEGER DEFAULT 0,
    item_type INTEGER DEFAULT 0, other_handle INTEGER DEFAULT 0, group_title TEXT,
      group_action_type INTEGER DEFAULT 0, share_status INTEGER DEFAULT 0, associated_message_guid TEXT,
      associated_message_type INTEGER DEFAULT 0, balloon_bundle_id TEXT,
    payload_data BLOB, message_summary_info BLOB, thread_originator_guid TEXT, thread_originator_part TEXT,
      date_retracted INTEGER, date_edited INTEGER, is_stewie INTEGER, associated_message_emoji TEXT,
      sent_or_received_off_grid INTEGER, ck_chat_id TEXT);`;

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

describe('the Messages schema of iOS 26', () => {
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

  it('keeps recently deleted and not yet joined messages in their conversation', async () => {
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

  it('reads a poll with its options and voters, and no vote as a message', async () => {
    const vote = (choice: string, eventType: string) =>
      archived(
        { an: 'Polls' },
        url(
          `data:,${encodeURIComponent(
            JSON.stringify({
              item: { votes: [{ voteOptionIdentifier: choice, participantHandle: 'oma@example.org', eventType }] },
            }),
          )}`,
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

  it('reads the text of an app message, and ignores a damaged payload', async () => {
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

  it('reads title and address of a link, also of one that was shared from another app', async () => {
    const link = (archive: Archive) =>
      archive.instance(['LPLinkMetadata', 'NSObject'], {
        title: archive.add('Impfung auffrischen'),
        originalURL: url('https://praxis.example/impfung')(archive).URL,
      });
    const shared = new Archive();
    const wrapper = shared.instance(['LPSharingMetadataWrapper', 'NSObject'], { metadata: link(shared) });
    const payloads = [archived({}, (archive) => ({ richLinkMetadata: link(archive) })), shared.bytes(wrapper)];
    const found = await read(
      payloads.map((payload_data, i) => ({
        ROWID: i + 1,
        guid: `L${i}`,
        text: '\uFFFC',
        handle_id: 1,
        balloon_bundle_id: 'com.apple.messages.URLBalloonProvider',
        payload_data,
      })),
    );
    const text = 'Impfung auffrischen\nhttps://praxis.example/impfung';
    expect(found.messages.map((message) => message.text)).toEqual([text, text]);
  });

  it('counts a message whose body can not be decoded, and keeps it', async () => {
    const bodies = [attributedBody('Hallo'), Buffer.from('\x04\x0bstreamtyped and no more'), null];
    const found = await read(
      bodies.map((body, i) => ({ ROWID: i + 1, guid: `B${i}`, handle_id: 1, attributedBody: body })),
    );
    expect([found.messages.map(({ text }) => text), found.skipped]).toEqual([['Hallo', null, null], 1]);
  });

  const GROUP_ROWS = [
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
  ].map((row) => row as Record<string, unknown>);

  it('reads group events, stickers on messages, and reactions of every kind', async () => {
    const found = await read(GROUP_ROWS, {
      chat_message_join: [1, 2, 3, 4, 5, 6, 7, 8].map((message_id) => ({ chat_id: 2, message_id })),
    });
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
