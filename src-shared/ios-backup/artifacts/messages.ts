import type { RowsByTable } from '../../contract/phone-backups/artifact-table.ts';
import type { Attachment, MessageRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { POLL_BUNDLE_SUFFIX, pollOf, readPayload, textOfPayload, textOfPoll } from './app-message.ts';
import {
  chatOfMessage,
  readChats,
  readDeletedMessageChats,
  readHandles,
  type Chat,
  type NameOf,
} from './message-chats.ts';
import { isResponse, readResponses, targetOf, type MessageResponses } from './message-reactions.ts';
import { readMessageSummary } from './message-summary.ts';
import {
  BATCH_ROWS,
  columnsOf,
  countOf,
  type ArtifactReader,
  type ArtifactSource,
  type Batch,
  type Columns,
  type FileRef,
  type ReadTools,
} from './source.ts';
import { textOfTypedStream } from './typedstream.ts';
import { appleMs, appleTime, bytesOf, flagOf, intOf, textOf, toTime } from './column-values.ts';

const DATABASE = 'Library/SMS/sms.db';
/** `associated_message_type` of a sticker put on a message. */
const STICKER = 1000;

/** What the conversion of all messages needs from other tables. */
interface MessageSource extends MessageResponses {
  chats: Map<number | string, Chat>;
  /** Row ids of conversations by GUID. */
  chatIdsByGuid: ReadonlyMap<string, number | string>;
  /** Conversations of recently deleted messages. */
  deletedMessageChats: ReadonlyMap<number, number>;
  handles: ReadonlyMap<number, string>;
  nameOf: NameOf;
}
/** What the conversion of one message needs from other rows. */
interface MessageContext extends Pick<MessageSource, 'nameOf' | 'handles'> {
  attachments: Attachment[];
  reactions: MessageRow['reactions'];
  /** Voters by choice, if the message is a poll. */
  votes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Conversations of Messages: iMessage, SMS and RCS. */
export const messages: ArtifactReader = {
  name: 'messages',
  async *read(source, tools) {
    const db = await source.database('HomeDomain', DATABASE);
    if (!db) return;
    try {
      const columns = await columnsOf(db, 'message', 'm');
      if (!columns.exists) return;
      tools.expect(await countOf(db, 'message'));
      yield* readMessages(db, columns, source, tools);
    } finally {
      await db.close();
    }
  },
};

async function* readMessages(
  db: SqliteDatabase,
  columns: Columns,
  source: ArtifactSource,
  tools: ReadTools,
): AsyncGenerator<Batch> {
  const context = await readMessageSource(db, columns, tools);
  const attachmentsIn = await createAttachmentQuery(db, await source.files('MediaDomain'));
  const hasJoin = (await columnsOf(db, 'chat_message_join', 'j')).exists;
  let previous = -1;
  for await (const batch of db.batches(selectMessages(columns, hasJoin), [], BATCH_ROWS)) {
    const attachments = await attachmentsIn(intOf(batch[0]?.id) ?? 0, intOf(batch.at(-1)?.id) ?? 0);
    const rows: RowsByTable['messages'][] = [];
    for (const raw of batch) {
      const id = intOf(raw.id) ?? 0;
      // A message that belongs to two conversations is counted for the first.
      if (id === previous) continue;
      previous = id;
      if (isResponse(raw)) continue;
      try {
        const message = addToChat(raw, attachments.get(id) ?? [], context);
        if (message.text === null && isUnreadable(raw)) tools.skip();
        rows.push(message);
      } catch {
        tools.skip();
      }
    }
    yield { table: 'messages', rows };
  }
  yield {
    table: 'conversations',
    rows: [...context.chats.values()].map(({ row, lastMs }) => ({ ...row, last_message_at: toTime(lastMs || null) })),
  };
}

async function readMessageSource(db: SqliteDatabase, columns: Columns, tools: ReadTools): Promise<MessageSource> {
  const nameOf: NameOf = (handle) => tools.people.nameOf(handle);
  const handles = await readHandles(db);
  const chats = await readChats(db, handles, nameOf);
  return {
    chats,
    chatIdsByGuid: new Map([...chats].map(([id, { row }]) => [row.conversation_guid, id])),
    deletedMessageChats: await readDeletedMessageChats(db),
    ...(await readResponses(db, columns, handles, nameOf)),
    handles,
    nameOf,
  };
}

/** Whether a message has a body that can't be decoded: it is shown without its text. */
function isUnreadable(raw: SqliteRow): boolean {
  const body = bytesOf(raw.body);
  return body !== null && body.length > 0 && textOfTypedStream(body) === null;
}

/** Converts a message and counts it for its conversation. */
function addToChat(raw: SqliteRow, attachments: Attachment[], source: MessageSource): RowsByTable['messages'] {
  const { chats, chatIdsByGuid, deletedMessageChats, handles, nameOf } = source;
  const id = intOf(raw.id) ?? 0;
  const guid = textOf(raw.guid) ?? '';
  const handle = handles.get(intOf(raw.handle) ?? 0) ?? null;
  const reactions = source.reactions.get(guid) ?? [];
  const votes = source.votes.get(guid) ?? new Map<string, Set<string>>();
  const message = messageOf(raw, handle, { attachments, reactions, votes, nameOf, handles });
  // A second table links recently deleted messages to their conversation; messages not joined yet name it themselves.
  const chatId =
    intOf(raw.chat) ?? deletedMessageChats.get(id) ?? chatIdsByGuid.get(textOf(raw.cloudChat) ?? '') ?? null;
  const chat = chatOfMessage(chats, chatId, handle, nameOf);
  chat.row.message_count += 1;
  chat.lastMs = Math.max(chat.lastMs, appleMs(raw.date) ?? 0);
  return { ...message, parent: chat.row.conversation_guid };
}

/**
 * Selects an integer as floating point, which is exact to a tenth of a microsecond; otherwise it would be read as a
 * bigint, ten of them per row.
 */
const real = (as: string, expression: string): string => `CAST(${expression} AS REAL) AS "${as}"`;

function selectMessages(m: Columns, hasJoin: boolean): string {
  const text = m.expr('text');
  const body = m.expr('attributedBody');
  const numbers = (
    [
      ['handle', 'handle_id'],
      ['date', 'date'],
      ['read', 'date_read'],
      ['delivered', 'date_delivered'],
      ['fromMe', 'is_from_me'],
      ['kind', 'associated_message_type'],
      ['item', 'item_type'],
      ['retracted', 'date_retracted'],
    ] as const
  ).map(([as, column]) => real(as, m.expr(column)));
  const reply = `coalesce(${m.expr('thread_originator_guid')},
        CASE WHEN ${m.expr('associated_message_type')} = ${STICKER} THEN ${m.expr('associated_message_guid')} END)`;
  return `SELECT ${real('id', 'm.ROWID')}, ${m.pick('guid', 'guid')}, ${m.pick('text', 'text')},
      CASE WHEN ${text} IS NULL OR ${text} = '' THEN ${body} END AS body, ${m.pick('service', 'service')},
      ${m.pick('subject', 'subject')}, ${m.pick('title', 'group_title')},
      ${m.pick('summary', 'message_summary_info')}, ${reply} AS reply,
      ${[...numbers, ...rareColumns(m, hasJoin)].join(', ')}, ${real('chat', hasJoin ? 'j.chat_id' : 'NULL')}
    FROM message AS m
    ${hasJoin ? 'LEFT JOIN chat_message_join AS j ON j.message_id = m.ROWID' : ''}
    ORDER BY m.ROWID`;
}

/** Few messages use these columns, but each slows the reading of every message: select only those that exist. */
function rareColumns(m: Columns, hasJoin: boolean): string[] {
  const text = m.expr('text');
  const columns: string[] = [];
  if (m.has('item_type')) {
    const values = ['group_action_type', 'share_status', 'other_handle'].map((name) => `coalesce(${m.expr(name)}, 0)`);
    columns.push(`CASE WHEN m.item_type > 0 THEN ${values.join(" || ',' || ")} END AS event`);
  }
  if (m.has('balloon_bundle_id') && m.has('payload_data'))
    columns.push(`CASE WHEN m.balloon_bundle_id IS NOT NULL AND
        (${text} IS NULL OR length(${text}) < 2 OR m.balloon_bundle_id LIKE '%${POLL_BUNDLE_SUFFIX}')
        THEN m.payload_data END AS payload`);
  if (m.has('ck_chat_id'))
    columns.push(`${hasJoin ? 'CASE WHEN j.chat_id IS NULL THEN m.ck_chat_id END' : 'm.ck_chat_id'} AS "cloudChat"`);
  return columns;
}

function messageOf(
  raw: SqliteRow,
  handle: string | null,
  { attachments, reactions, votes, nameOf, handles }: MessageContext,
): MessageRow {
  const summary = readMessageSummary(bytesOf(raw.summary));
  const body = bytesOf(raw.body);
  const ownText = (textOf(raw.text) ?? (body ? textOfTypedStream(body) : null) ?? summary.current)
    ?.replaceAll('\uFFFC', '')
    .replaceAll('\u0000', '')
    .trim();
  const payload = readPayload(bytesOf(raw.payload));
  const poll = payload && pollOf(payload);
  const visibleText = poll ? textOfPoll(poll, votes) : ownText || (payload && textOfPayload(payload));
  const isFromMe = flagOf(raw.fromMe);
  const isUnsent = summary.isUnsent || (appleMs(raw.retracted) !== null && !visibleText);
  const item = intOf(raw.item) ?? 0;
  const [action = 0, status = 0, otherId = 0] = item === 0 ? [] : (textOf(raw.event) ?? '').split(',').map(Number);
  const event = item === 0 ? null : eventOf(item, action, status);
  const other = event && (handles.get(otherId) ?? null);
  const plainKind = intOf(raw.kind) === STICKER ? 'sticker' : 'message';
  const shplainKind = event ? 'event' : plainKind;
  return {
    message_guid: textOf(raw.guid) ?? String(intOf(raw.id)),
    sender: isFromMe ? null : handle,
    sender_name: isFromMe ? null : nameOf(handle),
    is_from_me: isFromMe,
    sent_at: appleTime(raw.date),
    text: isUnsent ? null : visibleText || (event ? textOf(raw.title) : null),
    kind: isUnsent ? 'deleted' : shplainKind,
    has_attachments: attachments.length > 0,
    attachments,
    service: textOf(raw.service),
    subject: textOf(raw.subject),
    read_at: appleTime(raw.read),
    delivered_at: appleTime(raw.delivered),
    reply_to_guid: targetOf(raw.reply),
    reactions,
    edits: summary.edits,
    is_unsent: isUnsent,
    event: event && { kind: event, handle: other, name: nameOf(other) },
  };
}

/**
 * The kind of an event by `item_type`, `group_action_type` and `share_status`.
 * Source: https://github.com/ReagentX/imessage-exporter, `GroupAction` and `announcement`.
 */
function eventOf(item: number, action: number, status: number): NonNullable<MessageRow['event']>['kind'] {
  switch (item) {
    case 1:
      return action === 1 ? 'removed' : 'joined';
    case 2:
      return 'named';
    case 3:
      if (action === 1) return 'picture_changed';
      return action === 2 ? 'picture_removed' : 'left';
    case 4:
      return status === 1 ? 'location_ended' : 'location_shared';
    case 5:
      return 'audio_kept';
    case 6:
      return 'call';
    default:
      return 'other';
  }
}

/** Maps `~/Library/SMS/…` and `/var/mobile/Library/SMS/…` to `Library/SMS/…` of the media domain. */
const domainPathOf = (filename: string): string =>
  filename.replace(/^(~\/|\/var\/mobile\/|\/private\/var\/mobile\/)/, '');

/** Returns a function that reads the attachments of the messages from one row id to another, by message. */
async function createAttachmentQuery(
  db: SqliteDatabase,
  files: ReadonlyMap<string, FileRef>,
): Promise<(first: number, last: number) => Promise<Map<number, Attachment[]>>> {
  const a = await columnsOf(db, 'attachment', 'a');
  const join = await columnsOf(db, 'message_attachment_join', 'j');
  if (!a.exists || !join.exists) return async () => new Map();
  const sql = `SELECT j.message_id AS message, ${a.pick('filename', 'filename')}, ${a.pick('name', 'transfer_name')},
      ${a.pick('mime', 'mime_type')}, ${a.pick('size', 'total_bytes')}
    FROM message_attachment_join AS j
    JOIN attachment AS a ON a.ROWID = j.attachment_id
    WHERE j.message_id BETWEEN ? AND ?
    ORDER BY j.message_id, j.attachment_id`;
  return async (first, last) => {
    const byMessage = new Map<number, Attachment[]>();
    for (const row of await db.query(sql, [first, last])) {
      const storedPath = textOf(row.filename);
      const path = storedPath === null ? null : domainPathOf(storedPath);
      const file = path === null ? undefined : files.get(path);
      const size = intOf(row.size);
      const entry: Attachment = {
        file_id: file?.file_id ?? null,
        relative_path: path,
        mime_type: textOf(row.mime),
        size_bytes: size !== null && size > 0 ? size : (file?.size ?? null),
        filename: textOf(row.name) ?? path?.split('/').at(-1) ?? null,
      };
      byMessage.set(intOf(row.message) ?? -1, [...(byMessage.get(intOf(row.message) ?? -1) ?? []), entry]);
    }
    return byMessage;
  };
}
