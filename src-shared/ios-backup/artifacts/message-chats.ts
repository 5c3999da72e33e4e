import type { ConversationRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase } from '../ports.ts';
import { columnsOf } from './source.ts';
import { intOf, textOf } from './column-values.ts';

/** `chat.style` of a group. */
const GROUP_STYLE = 43;

/** Looks up a contact's name by phone number or e-mail address. */
export type NameOf = (handle: string | null) => string | null;

/** A conversation, and the time of its newest message in milliseconds since 1970. */
export interface Chat {
  row: ConversationRow;
  lastMs: number;
}

/** Reads phone numbers and e-mail addresses by row id. */
export async function readHandles(db: SqliteDatabase): Promise<Map<number, string>> {
  if (!(await columnsOf(db, 'handle', 'h')).exists) return new Map();
  const handles = new Map<number, string>();
  for (const row of await db.query('SELECT ROWID AS id, id AS handle FROM handle'))
    handles.set(intOf(row.id) ?? 0, textOf(row.handle) ?? '');
  return handles;
}

/** Reads the conversations by row id. */
export async function readChats(
  db: SqliteDatabase,
  handles: Map<number, string>,
  nameOf: NameOf,
): Promise<Map<number | string, Chat>> {
  const chat = await columnsOf(db, 'chat', 'c');
  const chats = new Map<number | string, Chat>();
  if (!chat.exists) return chats;
  const members = new Map<number, string[]>();
  if ((await columnsOf(db, 'chat_handle_join', 'j')).exists) {
    for (const row of await db.query(
      'SELECT chat_id AS chat, handle_id AS handle FROM chat_handle_join ORDER BY rowid',
    )) {
      const handle = handles.get(intOf(row.handle) ?? -1);
      if (handle !== undefined)
        members.set(intOf(row.chat) ?? -1, [...(members.get(intOf(row.chat) ?? -1) ?? []), handle]);
    }
  }
  const sql = `SELECT c.ROWID AS id, ${chat.pick('guid', 'guid')}, ${chat.pick('identifier', 'chat_identifier')},
      ${chat.pick('service', 'service_name')}, ${chat.pick('name', 'display_name')}, ${chat.pick('style', 'style')}
    FROM chat AS c`;
  for (const row of await db.query(sql)) {
    const id = intOf(row.id) ?? 0;
    const identifier = textOf(row.identifier);
    const style = intOf(row.style);
    const chatHandles = [
      ...new Set(members.get(id) ?? (identifier === null || style === GROUP_STYLE ? [] : [identifier])),
    ];
    const participants = chatHandles.map((handle) => ({ handle, name: nameOf(handle) }));
    const isGroup = style === GROUP_STYLE || participants.length > 1;
    chats.set(id, {
      lastMs: 0,
      row: {
        conversation_guid: textOf(row.guid) ?? identifier ?? String(id),
        service: textOf(row.service),
        participant_handles: chatHandles,
        participants,
        message_count: 0,
        is_group: isGroup,
        last_message_at: null,
        display_name:
          textOf(row.name) ?? (participants.map(({ handle, name }) => name ?? handle).join(', ') || identifier),
      },
    });
  }
  return chats;
}

/**
 * Returns the conversation of a message: the one with this id, or one made for the sender, because a deleted
 * conversation leaves messages that belong to no other one.
 */
export function chatOfMessage(
  chats: Map<number | string, Chat>,
  chatId: number | string | null,
  handle: string | null,
  nameOf: NameOf,
): Chat {
  const chat = chatId === null ? undefined : chats.get(chatId);
  if (chat) return chat;
  const key = `handle:${handle ?? 'unknown'}`;
  const ownChat = chats.get(key) ?? {
    lastMs: 0,
    row: {
      conversation_guid: key,
      service: null,
      display_name: nameOf(handle) ?? handle,
      last_message_at: null,
      participant_handles: handle === null ? [] : [handle],
      participants: handle === null ? [] : [{ handle, name: nameOf(handle) }],
      message_count: 0,
      is_group: false,
    },
  };
  chats.set(key, ownChat);
  return ownChat;
}

/** Reads the conversations of recently deleted messages, which the phone stores for thirty days (iOS 16 and later). */
export async function readDeletedMessageChats(db: SqliteDatabase): Promise<Map<number, number>> {
  if (!(await columnsOf(db, 'chat_recoverable_message_join', 'r')).exists) return new Map();
  const rows = await db.query(
    'SELECT r.message_id AS message, r.chat_id AS chat FROM chat_recoverable_message_join AS r',
  );
  return new Map(rows.map((row) => [intOf(row.message) ?? -1, intOf(row.chat) ?? -1]));
}
