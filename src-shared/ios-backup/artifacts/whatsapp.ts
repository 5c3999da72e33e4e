import type { RowsByTable } from '../../contract/phone-backups/artifact-table.ts';
import type { Attachment, ChatRow, MessageRow } from '../../contract/phone-backups/artifacts.ts';
import { Message } from '../format/protobuf.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { BATCH_ROWS, columnsOf, countOf, type ArtifactReader, type Columns, type FileRef } from './source.ts';
import { numberOfJid, readContactNames, readNumbersByLid, WHATSAPP_DOMAIN } from './whatsapp-people.ts';
import { appleMs, appleTime, bytesOf, flagOf, intOf, numberOf, textOf, toTime } from './column-values.ts';

/** Values of ZMESSAGETYPE, as read by https://github.com/KnugiHK/WhatsApp-Chat-Exporter and iLEAPP. */
const TYPES: Record<number, MessageRow['kind']> = {
  4: 'contact',
  5: 'location',
  6: 'event',
  10: 'event',
  14: 'deleted',
  15: 'sticker',
};
/**
 * Values of ZGROUPEVENTTYPE of messages of type 6 (in groups) and 10 (in other chats).
 * Source: https://github.com/sepinf-inc/IPED, `ExtractorIOS.java`.
 */
const GROUP_EVENTS: Record<number, NonNullable<MessageRow['event']>['kind']> = {
  1: 'named',
  2: 'joined',
  3: 'left',
  4: 'picture_changed',
  5: 'picture_removed',
  7: 'removed',
  12: 'group_made',
  50: 'joined',
};
const CHAT_EVENTS: Record<number, NonNullable<MessageRow['event']>['kind']> = {
  1: 'call_missed',
  2: 'encrypted',
  3: 'key_changed',
  4: 'call_missed',
  22: 'call_missed',
  40: 'call',
  41: 'call',
};
/** ZSESSIONTYPE of a group. */
const GROUP_TYPE = 1;

interface Chat {
  row: ChatRow;
  lastMs: number;
}
interface Member {
  jid: string;
  name: string | null;
}
/** Looks up people by JID. */
interface Directory {
  /** The name in the contacts, otherwise `fallback`, otherwise the name that WhatsApp stores. */
  nameOf(jid: string | null, fallback?: string | null): string | null;
  /** The phone number of a person, or the JID of a group. */
  handleOf(jid: string | null): string | null;
}

const isGroupJid = (jid: string | null): boolean => jid?.endsWith('@g.us') ?? false;

/** Chats of WhatsApp with groups and media. */
export const whatsapp: ArtifactReader = {
  name: 'whatsapp',
  async *read(source, tools) {
    const db = await source.database(WHATSAPP_DOMAIN, 'ChatStorage.sqlite');
    if (!db) return;
    try {
      const m = await columnsOf(db, 'ZWAMESSAGE', 'm');
      if (!m.exists) return;
      tools.expect(await countOf(db, 'ZWAMESSAGE'));
      const names = new Map([...(await readPushNames(db)), ...(await readContactNames(source))]);
      const numbers = await readNumbersByLid(source);
      const directory: Directory = {
        handleOf: (jid) => numbers.get(jid ?? '') ?? numberOfJid(jid),
        nameOf: (jid, fallback = null) =>
          tools.people.nameOf(directory.handleOf(jid)) ?? fallback ?? names.get(jid ?? '') ?? null,
      };
      const members = await readMembers(db, directory);
      const chats = await readChats(db, members.byChat, directory);
      const files = await source.files(WHATSAPP_DOMAIN);
      for await (const batch of db.batches(await selectMessages(db, m), [], BATCH_ROWS)) {
        const rows: RowsByTable['chat_messages'][] = [];
        for (const raw of batch) {
          try {
            const chat = chats.get(intOf(raw.chat) ?? -1);
            if (!chat) {
              tools.skip();
              continue;
            }
            chat.row.message_count += 1;
            chat.lastMs = Math.max(chat.lastMs, appleMs(raw.date) ?? 0);
            rows.push({
              ...messageOf(raw, members.byId.get(intOf(raw.member) ?? -1) ?? null, files, directory),
              parent: chat.row.chat_guid,
            });
          } catch {
            tools.skip();
          }
        }
        yield { table: 'chat_messages', rows };
      }
      yield {
        table: 'chats',
        rows: [...chats.values()].map(({ row, lastMs }) => ({
          ...row,
          last_message_at: toTime(lastMs || null) ?? row.last_message_at,
        })),
      };
    } finally {
      await db.close();
    }
  },
};

const MEDIA_COLUMNS = {
  path: 'ZMEDIALOCALPATH',
  mime: 'ZVCARDSTRING',
  title: 'ZTITLE',
  size: 'ZFILESIZE',
  latitude: 'ZLATITUDE',
  longitude: 'ZLONGITUDE',
  card: 'ZVCARDNAME',
  metadata: 'ZMETADATA',
};

async function selectMessages(db: SqliteDatabase, m: Columns): Promise<string> {
  const media = await columnsOf(db, 'ZWAMEDIAITEM', 'i');
  const hasMedia = media.exists && m.has('ZMEDIAITEM');
  const mediaColumns = hasMedia
    ? Object.entries(MEDIA_COLUMNS).map(([as, column]) => media.pick(as, column))
    : ['NULL AS path'];
  const info = await columnsOf(db, 'ZWAMESSAGEINFO', 'r');
  const hasInfo = info.exists && info.has('ZRECEIPTINFO') && (m.has('ZMESSAGEINFO') || info.has('ZMESSAGE'));
  const infoKey = m.has('ZMESSAGEINFO') ? 'r.Z_PK = m.ZMESSAGEINFO' : 'r.ZMESSAGE = m.Z_PK';
  const reply = m.has('ZPARENTMESSAGE')
    ? '(SELECT p.ZSTANZAID FROM ZWAMESSAGE AS p WHERE p.Z_PK = m.ZPARENTMESSAGE)'
    : 'NULL';
  return `SELECT m.Z_PK AS id, ${m.pick('stanza', 'ZSTANZAID')}, ${m.pick('chat', 'ZCHATSESSION')},
      ${m.pick('fromMe', 'ZISFROMME')}, ${m.pick('fromJid', 'ZFROMJID')}, ${m.pick('member', 'ZGROUPMEMBER')},
      ${m.pick('date', 'ZMESSAGEDATE')}, ${m.pick('text', 'ZTEXT')}, ${m.pick('type', 'ZMESSAGETYPE')},
      ${reply} AS reply, ${m.pick('push', 'ZPUSHNAME')}, ${m.pick('event', 'ZGROUPEVENTTYPE')},
      ${hasInfo ? 'r.ZRECEIPTINFO' : 'NULL'} AS receipts, ${mediaColumns.join(', ')}
    FROM ZWAMESSAGE AS m
    ${hasMedia ? 'LEFT JOIN ZWAMEDIAITEM AS i ON i.Z_PK = m.ZMEDIAITEM' : ''}
    ${hasInfo ? `LEFT JOIN ZWAMESSAGEINFO AS r ON ${infoKey}` : ''}
    ORDER BY m.Z_PK`;
}

function messageOf(
  raw: SqliteRow,
  member: Member | null,
  files: ReadonlyMap<string, FileRef>,
  directory: Directory,
): MessageRow {
  const isFromMe = flagOf(raw.fromMe);
  const from = textOf(raw.fromJid);
  // Messages received in a group have the group's address, so only the member identifies the author.
  const jid = member?.jid ?? (isGroupJid(from) ? null : from);
  const type = intOf(raw.type) ?? 0;
  const kind = TYPES[type] ?? 'message';
  const attachment = attachmentOf(raw, files);
  const place =
    kind === 'location' && numberOf(raw.latitude) !== null
      ? `${numberOf(raw.latitude)}, ${numberOf(raw.longitude)}`
      : null;
  return {
    message_guid: textOf(raw.stanza) ?? String(intOf(raw.id)),
    sender: isFromMe ? null : directory.handleOf(jid),
    sender_name: isFromMe ? null : directory.nameOf(jid, member?.name ?? decodePushName(textOf(raw.push))),
    is_from_me: isFromMe,
    sent_at: appleTime(raw.date),
    text: textOf(raw.text) ?? textOf(raw.title) ?? place ?? (kind === 'contact' ? textOf(raw.card) : null),
    kind,
    has_attachments: attachment !== null,
    attachments: attachment ? [attachment] : [],
    service: 'WhatsApp',
    subject: null,
    read_at: null,
    delivered_at: null,
    reply_to_guid: textOf(raw.reply) ?? quotedStanzaOf(bytesOf(raw.metadata)),
    reactions: reactionsOf(bytesOf(raw.receipts), directory),
    edits: [],
    is_unsent: kind === 'deleted',
    event:
      kind === 'event'
        ? {
            kind: (type === 10 ? CHAT_EVENTS : GROUP_EVENTS)[intOf(raw.event) ?? -1] ?? 'other',
            handle: null,
            name: null,
          }
        : null,
  };
}

/** Paths are relative to the folder `Message`, with or without a leading slash. */
function attachmentOf(raw: SqliteRow, files: ReadonlyMap<string, FileRef>): Attachment | null {
  const storedPath = textOf(raw.path)?.replace(/^\/+/, '');
  if (!storedPath) return null;
  const candidates = [`Message/${storedPath}`, storedPath];
  const path = candidates.find((candidate) => files.has(candidate)) ?? `Message/${storedPath}`;
  const file = files.get(path);
  const mime = textOf(raw.mime);
  const size = intOf(raw.size);
  return {
    file_id: file?.file_id ?? null,
    relative_path: path,
    mime_type: mime?.includes('/') ? mime : null,
    size_bytes: size !== null && size > 0 ? size : (file?.size ?? null),
    filename: storedPath.split('/').at(-1) ?? null,
  };
}

async function readPushNames(db: SqliteDatabase): Promise<Map<string, string>> {
  const c = await columnsOf(db, 'ZWAPROFILEPUSHNAME', 'n');
  if (!c.exists) return new Map();
  return new Map(
    (
      await db.query(`SELECT ${c.pick('jid', 'ZJID')}, ${c.pick('name', 'ZPUSHNAME')} FROM ZWAPROFILEPUSHNAME AS n`)
    ).map((row) => [textOf(row.jid) ?? '', textOf(row.name) ?? '']),
  );
}

/** Reads a protocol buffers message, or null if the bytes are not one. */
function readMessageProto<T>(bytes: Uint8Array | null, pick: (message: Message) => T): T | null {
  try {
    return bytes ? pick(new Message(bytes)) : null;
  } catch {
    return null;
  }
}

/** Returns the quoted stanza: field 5 of `ZWAMEDIAITEM.ZMETADATA`. */
const quotedStanzaOf = (metadata: Uint8Array | null): string | null =>
  readMessageProto(metadata, (message) => message.text(5)) || null;

/** Decodes `ZPUSHNAME` of a message: since 2023 protocol buffers in base64, whose field 1 is the name; plain before. */
function decodePushName(text: string | null): string | null {
  if (text === null || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return text;
  return (
    readMessageProto(
      Uint8Array.from(atob(text), (char) => char.charCodeAt(0)),
      (message) => message.text(1),
    ) || text
  );
}

/**
 * Reads the reactions among the receipts of a message, `ZWAMESSAGEINFO.ZRECEIPTINFO`: field 7, in it 1 for each
 * reaction of others (2 sender, 3 emoji, 4 time) and 2 for the user's own (2 emoji, 3 time). Source: IPED,
 * `ExtractorIOS.java`, and a database of WhatsApp 2026.
 */
function reactionsOf(receipts: Uint8Array | null, directory: Directory): MessageRow['reactions'] {
  const reactions = readMessageProto(receipts, (message) => {
    const list = message.message(7);
    if (!list) return [];
    return [
      ...list.all(1).map((one) => ({ jid: one.text(2), emoji: one.text(3), at: timeIn(one, 4), isMine: false })),
      ...list.all(2).map((one) => ({ jid: null, emoji: one.text(2), at: timeIn(one, 3), isMine: true })),
    ];
  });
  return (reactions ?? []).flatMap(({ jid, emoji, at, isMine }): MessageRow['reactions'] => {
    if (!emoji) return [];
    const sender = directory.handleOf(jid);
    return [{ kind: 'emoji', emoji, sender, sender_name: directory.nameOf(jid), is_from_me: isMine, sent_at: at }];
  });
}

/** Reads a time in milliseconds since 1970, as a number or in digits; smaller numbers count seconds. */
function timeIn(message: Message, field: number): string | null {
  const value = message.number(field) ?? Number(message.text(field) ?? Number.NaN);
  return toTime(value > 1e11 ? value : value * 1000);
}

async function readMembers(
  db: SqliteDatabase,
  { nameOf }: Directory,
): Promise<{ byId: Map<number, Member>; byChat: Map<number, Member[]> }> {
  const c = await columnsOf(db, 'ZWAGROUPMEMBER', 'g');
  const byId = new Map<number, Member>();
  const byChat = new Map<number, Member[]>();
  if (!c.exists) return { byId, byChat };
  const sql = `SELECT g.Z_PK AS id, ${c.pick('chat', 'ZCHATSESSION')}, ${c.pick('jid', 'ZMEMBERJID')},
      ${c.pick('name', 'ZCONTACTNAME')}, ${c.pick('first', 'ZFIRSTNAME')}, ${c.pick('active', 'ZISACTIVE')}
    FROM ZWAGROUPMEMBER AS g ORDER BY g.Z_PK`;
  for (const row of await db.query(sql)) {
    const jid = textOf(row.jid) ?? '';
    const member = { jid, name: nameOf(jid, textOf(row.name) ?? textOf(row.first)) };
    byId.set(intOf(row.id) ?? -1, member);
    if (row.active === null || flagOf(row.active))
      byChat.set(intOf(row.chat) ?? -1, [...(byChat.get(intOf(row.chat) ?? -1) ?? []), member]);
  }
  return { byId, byChat };
}

async function readChats(
  db: SqliteDatabase,
  members: Map<number, Member[]>,
  { nameOf, handleOf }: Directory,
): Promise<Map<number, Chat>> {
  const c = await columnsOf(db, 'ZWACHATSESSION', 'c');
  const chats = new Map<number, Chat>();
  if (!c.exists) return chats;
  const sql = `SELECT c.Z_PK AS id, ${c.pick('jid', 'ZCONTACTJID')}, ${c.pick('name', 'ZPARTNERNAME')},
      ${c.pick('type', 'ZSESSIONTYPE')}, ${c.pick('archived', 'ZARCHIVED')}, ${c.pick('last', 'ZLASTMESSAGEDATE')}
    FROM ZWACHATSESSION AS c ORDER BY c.Z_PK`;
  for (const row of await db.query(sql)) {
    const id = intOf(row.id) ?? -1;
    const jid = textOf(row.jid);
    const isGroup = intOf(row.type) === GROUP_TYPE || isGroupJid(jid);
    const partner = jid === null ? [] : [{ handle: handleOf(jid) ?? jid, name: nameOf(jid, textOf(row.name)) }];
    const people = isGroup
      ? (members.get(id) ?? []).map((member) => ({ handle: handleOf(member.jid) ?? '', name: member.name }))
      : partner;
    // Two sessions may share a JID: a person's status updates and the chat.
    const guid =
      jid === null || [...chats.values()].some((chat) => chat.row.chat_guid === jid) ? `${jid ?? 'chat'}#${id}` : jid;
    chats.set(id, {
      lastMs: 0,
      row: {
        chat_guid: guid,
        title: textOf(row.name) ?? nameOf(jid) ?? handleOf(jid),
        participant_count: people.length,
        last_message_at: appleTime(row.last),
        participants: people,
        message_count: 0,
        is_group: isGroup,
        is_archived: flagOf(row.archived),
      },
    });
  }
  return chats;
}
