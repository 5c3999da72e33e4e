import type { RowsByTable } from '../../contract/phone-backups/artifact-table.ts';
import type { Attachment, ConversationRow, MessageRow, REACTIONS } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { POLLS, pollOf, readPayload, textOfPayload, textOfPoll, votesOf } from './app-message.ts';
import { readMessageSummary } from './message-summary.ts';
import {
  BATCH_ROWS,
  columnsOf,
  countOf,
  type ArtifactReader,
  type Batch,
  type Columns,
  type FileRef,
} from './source.ts';
import { textOfTypedStream } from './typedstream.ts';
import { appleMs, appleTime, bytesOf, flagOf, intOf, textOf, toTime } from './column-values.ts';

const DATABASE = 'Library/SMS/sms.db';
/** `associated_message_type` − 2000, and − 3000 of what takes one back: https://github.com/ReagentX/imessage-exporter, `tapback.rs`. */
const KINDS: readonly (typeof REACTIONS)[number][] = [
  'loved',
  'liked',
  'disliked',
  'laughed',
  'emphasized',
  'questioned',
  'emoji',
  'sticker',
];
/** `associated_message_type` of a sticker that was put on a message, and of a vote in a poll. */
const STICKER = 1000,
  VOTE = 4000;
/** `chat.style` of a group. */
const GROUP = 43;

type Reaction = MessageRow['reactions'][number];
interface Chat {
  row: ConversationRow;
  lastMs: number;
}
/** The handles that voted for each choice of a poll. */
type Votes = ReadonlyMap<string, ReadonlySet<string>>;
const NO_VOTES: Votes = new Map();
/** Data of a message from other rows. */
interface Beside {
  attachments: Attachment[];
  reactions: Reaction[];
  votes: Votes;
  named: (handle: string | null) => string | null;
  handles: ReadonlyMap<number, string>;
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
      const handles = await handlesOf(db);
      const named = (handle: string | null): string | null => tools.people.nameOf(handle);
      const chats = await chatsOf(db, handles, named);
      const { reactions, votes } = await answersOf(db, columns, handles, named);
      const files = await source.files('MediaDomain');
      const hasJoin = (await columnsOf(db, 'chat_message_join', 'j')).exists;
      const deletedFrom = await recoverable(db);
      const byGuid = new Map([...chats].map(([id, { row }]) => [row.conversation_guid, id]));
      const attachmentsIn = await attachmentQuery(db, files);

      const chatOf = (chatId: number | string | null, handle: string | null): Chat => {
        const known = chatId === null ? undefined : chats.get(chatId);
        if (known) return known;
        // A deleted conversation leaves messages that belong to no other one.
        const key = `handle:${handle ?? 'unknown'}`;
        const loose = chats.get(key) ?? {
          lastMs: 0,
          row: {
            conversation_guid: key,
            service: null,
            display_name: named(handle) ?? handle,
            last_message_at: null,
            participant_handles: handle === null ? [] : [handle],
            participants: handle === null ? [] : [{ handle, name: named(handle) }],
            message_count: 0,
            is_group: false,
          },
        };
        chats.set(key, loose);
        return loose;
      };

      let previous = -1;
      for await (const batch of db.batches(selectMessages(columns, hasJoin), [], BATCH_ROWS)) {
        const first = intOf(batch[0]?.id) ?? 0;
        const last = intOf(batch.at(-1)?.id) ?? 0;
        const attachments = await attachmentsIn(first, last);
        const rows: RowsByTable['messages'][] = [];
        for (const raw of batch) {
          const id = intOf(raw.id) ?? 0;
          // A message that belongs to two conversations counts for the first.
          if (id === previous) continue;
          previous = id;
          if (isReaction(raw)) continue;
          try {
            const handle = handles.get(intOf(raw.handle) ?? 0) ?? null;
            const guid = textOf(raw.guid) ?? '';
            const message = messageOf(raw, handle, {
              attachments: attachments.get(id) ?? [],
              reactions: reactions.get(guid) ?? [],
              votes: votes.get(guid) ?? NO_VOTES,
              named,
              handles,
            });
            // Another table links recently deleted messages to their conversation; messages not joined yet name it
            // themselves.
            const chat = chatOf(
              intOf(raw.chat) ?? deletedFrom.get(id) ?? byGuid.get(textOf(raw.cloudChat) ?? '') ?? null,
              handle,
            );
            chat.row.message_count += 1;
            const sentMs = appleMs(raw.date) ?? 0;
            if (sentMs > chat.lastMs) chat.lastMs = sentMs;
            rows.push({ ...message, parent: chat.row.conversation_guid });
          } catch {
            tools.skip();
          }
        }
        yield { table: 'messages', rows };
      }
      yield {
        table: 'conversations',
        rows: [...chats.values()].map(({ row, lastMs }) => ({ ...row, last_message_at: toTime(lastMs || null) })),
      } satisfies Batch;
    } finally {
      await db.close();
    }
  },
};

const isReaction = (raw: SqliteRow): boolean => {
  const type = intOf(raw.kind) ?? 0;
  return (type >= 2000 && type < 4000) || type === VOTE;
};

/** Numbers of a message as floating ones, which are exact to a tenth of a microsecond: integers would come as bigints, ten of them a row. */
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
  // Few messages use these columns, but each column slows the reading of every message: request only those that exist.
  const rare = [
    ...(m.has('item_type')
      ? [
          `CASE WHEN m.item_type > 0 THEN coalesce(${m.expr('group_action_type')}, 0) || ',' || coalesce(${m.expr('share_status')}, 0) || ',' || coalesce(${m.expr('other_handle')}, 0) END AS event`,
        ]
      : []),
    ...(m.has('balloon_bundle_id') && m.has('payload_data')
      ? [
          `CASE WHEN m.balloon_bundle_id IS NOT NULL AND (${text} IS NULL OR length(${text}) < 2 OR m.balloon_bundle_id LIKE '%${POLLS}') THEN m.payload_data END AS payload`,
        ]
      : []),
    ...(m.has('ck_chat_id')
      ? [`${hasJoin ? 'CASE WHEN j.chat_id IS NULL THEN m.ck_chat_id END' : 'm.ck_chat_id'} AS "cloudChat"`]
      : []),
  ];
  return `SELECT ${real('id', 'm.ROWID')}, ${m.pick('guid', 'guid')}, ${m.pick('text', 'text')}, CASE WHEN ${text} IS NULL OR ${text} = '' THEN ${body} END AS body, ${m.pick('service', 'service')},
    ${m.pick('subject', 'subject')}, ${m.pick('title', 'group_title')}, ${m.pick('summary', 'message_summary_info')}, coalesce(${m.expr('thread_originator_guid')}, CASE WHEN ${m.expr('associated_message_type')} = ${STICKER} THEN ${m.expr('associated_message_guid')} END) AS reply, ${[...numbers, ...rare].join(', ')},
    ${real('chat', hasJoin ? 'j.chat_id' : 'NULL')} FROM message AS m ${hasJoin ? 'LEFT JOIN chat_message_join AS j ON j.message_id = m.ROWID' : ''} ORDER BY m.ROWID`;
}

function messageOf(
  raw: SqliteRow,
  handle: string | null,
  { attachments, reactions, votes, named, handles }: Beside,
): MessageRow {
  const summary = readMessageSummary(bytesOf(raw.summary));
  const body = bytesOf(raw.body);
  const said = (textOf(raw.text) ?? (body ? textOfTypedStream(body) : null) ?? summary.current)
    ?.replaceAll('\uFFFC', '')
    .replaceAll('\u0000', '')
    .trim();
  const payload = readPayload(bytesOf(raw.payload));
  const poll = payload && pollOf(payload);
  const plain = poll ? textOfPoll(poll, votes) : said || (payload && textOfPayload(payload));
  const isFromMe = flagOf(raw.fromMe);
  const unsent = summary.unsent || (appleMs(raw.retracted) !== null && !plain);
  const item = intOf(raw.item) ?? 0;
  const [action = 0, status = 0, otherId = 0] = item === 0 ? [] : (textOf(raw.event) ?? '').split(',').map(Number);
  const event = item === 0 ? null : eventOf(item, action, status);
  const other = event && (handles.get(otherId) ?? null);
  const ownKind = intOf(raw.kind) === STICKER ? 'sticker' : 'message';
  const shownKind = event ? 'event' : ownKind;
  return {
    message_guid: textOf(raw.guid) ?? String(intOf(raw.id)),
    sender: isFromMe ? null : handle,
    sender_name: isFromMe ? null : named(handle),
    is_from_me: isFromMe,
    sent_at: appleTime(raw.date),
    text: unsent ? null : plain || (event ? textOf(raw.title) : null),
    kind: unsent ? 'deleted' : shownKind,
    has_attachments: attachments.length > 0,
    attachments,
    service: textOf(raw.service),
    subject: textOf(raw.subject),
    read_at: appleTime(raw.read),
    delivered_at: appleTime(raw.delivered),
    reply_to_guid: targetOf(raw.reply),
    reactions,
    edits: summary.edits,
    is_unsent: unsent,
    event: event && { kind: event, handle: other, name: named(other) },
  };
}

/** `item_type` with `group_action_type` and `share_status`: https://github.com/ReagentX/imessage-exporter, `GroupAction` and `announcement`. */
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

/** Reads the conversations of recently deleted messages, which the phone stores for thirty days (iOS 16 and later). */
async function recoverable(db: SqliteDatabase): Promise<Map<number, number>> {
  if (!(await columnsOf(db, 'chat_recoverable_message_join', 'r')).exists) return new Map();
  return new Map(
    (await db.query('SELECT r.message_id AS message, r.chat_id AS chat FROM chat_recoverable_message_join AS r')).map(
      (row) => [intOf(row.message) ?? -1, intOf(row.chat) ?? -1],
    ),
  );
}

/** Returns the GUID of the associated message: `p:0/GUID` for a part of it, `bp:GUID` for an app's balloon. */
const targetOf = (value: SqliteRow[string] | undefined): string | null =>
  textOf(value)?.replace(/^(p:-?\d+\/|bp:)/, '') ?? null;

async function handlesOf(db: SqliteDatabase): Promise<Map<number, string>> {
  if (!(await columnsOf(db, 'handle', 'h')).exists) return new Map();
  const handles = new Map<number, string>();
  for (const row of await db.query('SELECT ROWID AS id, id AS handle FROM handle'))
    handles.set(intOf(row.id) ?? 0, textOf(row.handle) ?? '');
  return handles;
}

async function chatsOf(
  db: SqliteDatabase,
  handles: Map<number, string>,
  named: (handle: string | null) => string | null,
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
  const sql = `SELECT c.ROWID AS id, ${chat.pick('guid', 'guid')}, ${chat.pick('identifier', 'chat_identifier')}, ${chat.pick('service', 'service_name')}, ${chat.pick('name', 'display_name')}, ${chat.pick('style', 'style')} FROM chat AS c`;
  for (const row of await db.query(sql)) {
    const id = intOf(row.id) ?? 0;
    const identifier = textOf(row.identifier);
    const style = intOf(row.style);
    const handlesHere = [...new Set(members.get(id) ?? (identifier === null || style === GROUP ? [] : [identifier]))];
    const participants = handlesHere.map((handle) => ({ handle, name: named(handle) }));
    const isGroup = style === GROUP || participants.length > 1;
    chats.set(id, {
      lastMs: 0,
      row: {
        conversation_guid: textOf(row.guid) ?? identifier ?? String(id),
        service: textOf(row.service),
        participant_handles: handlesHere,
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
 * Reads reactions and votes, which are messages of their own, by the message that they belong to, without removed ones.
 * Phones have an index of that message, so this reads a few pages where a scan would read the whole database again.
 */
async function answersOf(
  db: SqliteDatabase,
  m: Columns,
  handles: Map<number, string>,
  named: (handle: string | null) => string | null,
): Promise<{ reactions: Map<string, Reaction[]>; votes: Map<string, Map<string, Set<string>>> }> {
  const reactions = new Map<string, Reaction[]>();
  const votes = new Map<string, Map<string, Set<string>>>();
  if (!m.has('associated_message_type') || !m.has('associated_message_guid')) return { reactions, votes };
  const sql = `SELECT m.associated_message_guid AS target, m.associated_message_type AS kind, ${m.pick('emoji', 'associated_message_emoji')}, ${m.pick('handle', 'handle_id')}, ${m.pick('fromMe', 'is_from_me')}, ${m.pick('date', 'date')},
    ${m.has('payload_data') ? `CASE WHEN m.associated_message_type = ${VOTE} THEN m.payload_data END` : 'NULL'} AS payload
    FROM message AS m WHERE m.associated_message_guid > '' AND m.associated_message_type BETWEEN 2000 AND ${VOTE} ORDER BY +m.ROWID`;
  // The later one counts. The plus keeps SQLite from walking over all messages for the sake of their order.
  for await (const rows of db.batches(sql, [], BATCH_ROWS)) {
    for (const row of rows) {
      const target = targetOf(row.target);
      const type = intOf(row.kind) ?? 0;
      const isFromMe = flagOf(row.fromMe);
      const sender = isFromMe ? null : (handles.get(intOf(row.handle) ?? 0) ?? null);
      if (target === null) continue;
      if (type === VOTE) {
        const ofPoll = votes.get(target) ?? new Map<string, Set<string>>();
        votes.set(target, ofPoll);
        count(ofPoll, readPayload(bytesOf(row.payload)), (voter) => {
          const who = voter ?? sender;
          return named(who) ?? who ?? '✓';
        });
        continue;
      }
      const kind = KINDS[type % 1000];
      if (kind === undefined) continue;
      const emoji = textOf(row.emoji);
      const others = (reactions.get(target) ?? []).filter(
        (other) =>
          !(
            other.is_from_me === isFromMe &&
            other.sender === sender &&
            (type >= 3000
              ? other.kind === kind && (emoji === null || other.emoji === emoji)
              : other.kind === kind && other.emoji === emoji)
          ),
      );
      reactions.set(
        target,
        type >= 3000
          ? others
          : [
              ...others,
              { kind, emoji, sender, sender_name: named(sender), is_from_me: isFromMe, sent_at: appleTime(row.date) },
            ],
      );
    }
  }
  return { reactions, votes };
}

function count(
  ofPoll: Map<string, Set<string>>,
  payload: ReturnType<typeof readPayload>,
  whoIs: (voter: string | null) => string,
): void {
  for (const { choice, voter, isTaken } of payload ? votesOf(payload) : []) {
    const voters = ofPoll.get(choice) ?? new Set();
    ofPoll.set(choice, voters);
    if (isTaken) voters.add(whoIs(voter));
    else voters.delete(whoIs(voter));
  }
}

/** Maps `~/Library/SMS/…` and `/var/mobile/Library/SMS/…` to `Library/SMS/…` of the media domain. */
const inDomain = (filename: string): string => filename.replace(/^(~\/|\/var\/mobile\/|\/private\/var\/mobile\/)/, '');

async function attachmentQuery(
  db: SqliteDatabase,
  files: ReadonlyMap<string, FileRef>,
): Promise<(first: number, last: number) => Promise<Map<number, Attachment[]>>> {
  const a = await columnsOf(db, 'attachment', 'a');
  const join = await columnsOf(db, 'message_attachment_join', 'j');
  if (!a.exists || !join.exists) return async () => new Map();
  const sql = `SELECT j.message_id AS message, ${a.pick('filename', 'filename')}, ${a.pick('name', 'transfer_name')}, ${a.pick('mime', 'mime_type')}, ${a.pick('size', 'total_bytes')}
    FROM message_attachment_join AS j JOIN attachment AS a ON a.ROWID = j.attachment_id WHERE j.message_id BETWEEN ? AND ? ORDER BY j.message_id, j.attachment_id`;
  return async (first, last) => {
    const byMessage = new Map<number, Attachment[]>();
    for (const row of await db.query(sql, [first, last])) {
      const stored = textOf(row.filename);
      const path = stored === null ? null : inDomain(stored);
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
