import type { Attachment, ChatRow, MessageRow } from '../../contract/phone-artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { BATCH, columnsOf, countOf, type ArtifactReader, type Columns, type FileRef, type RowsByTable } from './source.ts';
import { appleMs, appleTime, flagOf, intOf, numberOf, textOf, toTime } from './values.ts';

const DOMAIN = 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared';
/** ZMESSAGETYPE, as read by https://github.com/KnugiHK/WhatsApp-Chat-Exporter and iLEAPP. */
const TYPES: Record<number, MessageRow['kind']> = { 4: 'contact', 5: 'location', 6: 'event', 10: 'event', 14: 'deleted', 15: 'sticker' };
/** ZSESSIONTYPE of a group. */
const GROUP = 1;

interface Chat { row: ChatRow; lastMs: number }
interface Member { jid: string; name: string | null }

/** A JID is a number or a group at a server; the number names a person. */
const numberOfJid = (jid: string | null): string | null => (jid === null ? null : jid.endsWith('@s.whatsapp.net') ? `+${jid.slice(0, jid.indexOf('@'))}` : jid);

/** Chats of WhatsApp with groups and media. */
export const whatsapp: ArtifactReader = {
  name: 'whatsapp',
  tables: ['chats', 'chat_messages'],
  async* read(source, tools) {
    const db = await source.database(DOMAIN, 'ChatStorage.sqlite');
    if (!db) return;
    try {
      const m = await columnsOf(db, 'ZWAMESSAGE', 'm');
      if (!m.exists) return;
      tools.expect(await countOf(db, 'ZWAMESSAGE'));
      const pushed = await pushNames(db);
      const nameOf = (jid: string | null, known: string | null = null): string | null => tools.people.nameOf(numberOfJid(jid)) ?? known ?? pushed.get(jid ?? '') ?? null;
      const members = await membersOf(db, nameOf);
      const chats = await chatsOf(db, members.byChat, nameOf);
      const files = await source.files(DOMAIN);
      for await (const batch of db.batches(await select(db, m), [], BATCH)) {
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
            rows.push({ ...messageOf(raw, members.byId.get(intOf(raw.member) ?? -1) ?? null, files, nameOf), parent: chat.row.chat_guid });
          } catch {
            tools.skip();
          }
        }
        yield { table: 'chat_messages', rows };
      }
      yield { table: 'chats', rows: [...chats.values()].map(({ row, lastMs }) => ({ ...row, last_message_at: toTime(lastMs || null) ?? row.last_message_at })) };
    } finally {
      await db.close();
    }
  },
};

async function select(db: SqliteDatabase, m: Columns): Promise<string> {
  const media = await columnsOf(db, 'ZWAMEDIAITEM', 'i');
  const joined = media.exists && m.has('ZMEDIAITEM');
  return `SELECT m.Z_PK AS id, ${m.pick('stanza', 'ZSTANZAID')}, ${m.pick('chat', 'ZCHATSESSION')}, ${m.pick('fromMe', 'ZISFROMME')}, ${m.pick('fromJid', 'ZFROMJID')}, ${m.pick('member', 'ZGROUPMEMBER')}, ${m.pick('date', 'ZMESSAGEDATE')},
    ${m.pick('text', 'ZTEXT')}, ${m.pick('type', 'ZMESSAGETYPE')}, ${m.has('ZPARENTMESSAGE') ? '(SELECT p.ZSTANZAID FROM ZWAMESSAGE AS p WHERE p.Z_PK = m.ZPARENTMESSAGE)' : 'NULL'} AS reply, ${m.pick('push', 'ZPUSHNAME')},
    ${joined ? [media.pick('path', 'ZMEDIALOCALPATH'), media.pick('mime', 'ZVCARDSTRING'), media.pick('title', 'ZTITLE'), media.pick('size', 'ZFILESIZE'), media.pick('latitude', 'ZLATITUDE'), media.pick('longitude', 'ZLONGITUDE'), media.pick('card', 'ZVCARDNAME')].join(', ') : 'NULL AS path'}
    FROM ZWAMESSAGE AS m ${joined ? 'LEFT JOIN ZWAMEDIAITEM AS i ON i.Z_PK = m.ZMEDIAITEM' : ''} ORDER BY m.Z_PK`;
}

function messageOf(raw: SqliteRow, member: Member | null, files: ReadonlyMap<string, FileRef>, nameOf: (jid: string | null, known?: string | null) => string | null): MessageRow {
  const isFromMe = flagOf(raw.fromMe);
  const jid = member?.jid ?? textOf(raw.fromJid);
  const kind = TYPES[intOf(raw.type) ?? 0] ?? 'message';
  const attachment = attachmentOf(raw, files);
  const place = kind === 'location' && numberOf(raw.latitude) !== null ? `${numberOf(raw.latitude)}, ${numberOf(raw.longitude)}` : null;
  return {
    message_guid: textOf(raw.stanza) ?? String(intOf(raw.id)), sender: isFromMe ? null : numberOfJid(jid), sender_name: isFromMe ? null : nameOf(jid, member?.name ?? null), is_from_me: isFromMe, sent_at: appleTime(raw.date),
    text: textOf(raw.text) ?? textOf(raw.title) ?? place ?? (kind === 'contact' ? textOf(raw.card) : null), kind, has_attachments: attachment !== null, attachments: attachment ? [attachment] : [],
    service: 'WhatsApp', subject: null, read_at: null, delivered_at: null, reply_to_guid: textOf(raw.reply), reactions: [], edits: [], is_unsent: kind === 'deleted',
  };
}

/** Paths are told from the folder `Message`, with or without a slash before. */
function attachmentOf(raw: SqliteRow, files: ReadonlyMap<string, FileRef>): Attachment | null {
  const stored = textOf(raw.path)?.replace(/^\/+/, '');
  if (!stored) return null;
  const path = [`Message/${stored}`, stored].find((candidate) => files.has(candidate)) ?? `Message/${stored}`;
  const file = files.get(path);
  const mime = textOf(raw.mime);
  const size = intOf(raw.size);
  return { file_id: file?.file_id ?? null, relative_path: path, mime_type: mime?.includes('/') ? mime : null, size_bytes: size !== null && size > 0 ? size : file?.size ?? null, filename: stored.split('/').at(-1) ?? null };
}

async function pushNames(db: SqliteDatabase): Promise<Map<string, string>> {
  const c = await columnsOf(db, 'ZWAPROFILEPUSHNAME', 'n');
  if (!c.exists) return new Map();
  return new Map((await db.query(`SELECT ${c.pick('jid', 'ZJID')}, ${c.pick('name', 'ZPUSHNAME')} FROM ZWAPROFILEPUSHNAME AS n`)).map((row) => [textOf(row.jid) ?? '', textOf(row.name) ?? '']));
}

async function membersOf(db: SqliteDatabase, nameOf: (jid: string | null, known?: string | null) => string | null): Promise<{ byId: Map<number, Member>; byChat: Map<number, Member[]> }> {
  const c = await columnsOf(db, 'ZWAGROUPMEMBER', 'g');
  const byId = new Map<number, Member>();
  const byChat = new Map<number, Member[]>();
  if (!c.exists) return { byId, byChat };
  const sql = `SELECT g.Z_PK AS id, ${c.pick('chat', 'ZCHATSESSION')}, ${c.pick('jid', 'ZMEMBERJID')}, ${c.pick('name', 'ZCONTACTNAME')}, ${c.pick('first', 'ZFIRSTNAME')}, ${c.pick('active', 'ZISACTIVE')} FROM ZWAGROUPMEMBER AS g ORDER BY g.Z_PK`;
  for (const row of await db.query(sql)) {
    const jid = textOf(row.jid) ?? '';
    const member = { jid, name: nameOf(jid, textOf(row.name) ?? textOf(row.first)) };
    byId.set(intOf(row.id) ?? -1, member);
    if (row.active === null || flagOf(row.active)) byChat.set(intOf(row.chat) ?? -1, [...(byChat.get(intOf(row.chat) ?? -1) ?? []), member]);
  }
  return { byId, byChat };
}

async function chatsOf(db: SqliteDatabase, members: Map<number, Member[]>, nameOf: (jid: string | null, known?: string | null) => string | null): Promise<Map<number, Chat>> {
  const c = await columnsOf(db, 'ZWACHATSESSION', 'c');
  const chats = new Map<number, Chat>();
  if (!c.exists) return chats;
  const sql = `SELECT c.Z_PK AS id, ${c.pick('jid', 'ZCONTACTJID')}, ${c.pick('name', 'ZPARTNERNAME')}, ${c.pick('type', 'ZSESSIONTYPE')}, ${c.pick('archived', 'ZARCHIVED')}, ${c.pick('last', 'ZLASTMESSAGEDATE')} FROM ZWACHATSESSION AS c ORDER BY c.Z_PK`;
  for (const row of await db.query(sql)) {
    const id = intOf(row.id) ?? -1;
    const jid = textOf(row.jid);
    const isGroup = intOf(row.type) === GROUP || (jid?.endsWith('@g.us') ?? false);
    const people = isGroup ? (members.get(id) ?? []).map((member) => ({ handle: numberOfJid(member.jid) ?? '', name: member.name })) : jid === null ? [] : [{ handle: numberOfJid(jid) ?? jid, name: nameOf(jid, textOf(row.name)) }];
    // Two sessions may share a JID: the status updates of a person beside the chat.
    const guid = jid === null || [...chats.values()].some((chat) => chat.row.chat_guid === jid) ? `${jid ?? 'chat'}#${id}` : jid;
    chats.set(id, { lastMs: 0, row: { chat_guid: guid, title: textOf(row.name) ?? nameOf(jid) ?? numberOfJid(jid), participant_count: people.length, last_message_at: appleTime(row.last), participants: people, message_count: 0, is_group: isGroup, is_archived: flagOf(row.archived) } });
  }
  return chats;
}
