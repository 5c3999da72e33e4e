import type { MessageRow, REACTIONS } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { readPayload, votesOf } from './app-message.ts';
import type { NameOf } from './message-chats.ts';
import { BATCH_ROWS, type Columns } from './source.ts';
import { appleTime, bytesOf, flagOf, intOf, textOf } from './column-values.ts';

/**
 * Values of `associated_message_type`: reactions from 2000 in the order of `REACTION_KINDS`, removed reactions from
 * 3000 in the same order, and votes in polls.
 * Source: https://github.com/ReagentX/imessage-exporter, `tapback.rs`.
 */
const REACTION = 2000,
  REMOVED_REACTION = 3000,
  VOTE = 4000;
const REACTION_KINDS: readonly (typeof REACTIONS)[number][] = [
  'loved',
  'liked',
  'disliked',
  'laughed',
  'emphasized',
  'questioned',
  'emoji',
  'sticker',
];

type Reaction = MessageRow['reactions'][number];

/** Reactions to messages and votes in polls, by the GUID of the message. */
export interface MessageResponses {
  reactions: Map<string, Reaction[]>;
  /** By choice, the names of those who voted for it. */
  votes: Map<string, Map<string, Set<string>>>;
}

/** Whether a row is a reaction or a vote, not a message that is shown. */
export function isResponse(row: SqliteRow): boolean {
  const type = intOf(row.kind) ?? 0;
  return (type >= REACTION && type < VOTE) || type === VOTE;
}

/** Returns the GUID of the associated message: `p:0/GUID` for a part of it, `bp:GUID` for an app's balloon. */
export const targetOf = (value: SqliteRow[string] | undefined): string | null =>
  textOf(value)?.replace(/^(p:-?\d+\/|bp:)/, '') ?? null;

/**
 * Reads reactions and votes, which are messages of their own, without removed ones. Phones have an index of the
 * associated message, so this reads a few pages where a scan would read the whole database again.
 */
export async function readResponses(
  db: SqliteDatabase,
  m: Columns,
  handles: ReadonlyMap<number, string>,
  nameOf: NameOf,
): Promise<MessageResponses> {
  const responses: MessageResponses = { reactions: new Map(), votes: new Map() };
  if (!m.has('associated_message_type') || !m.has('associated_message_guid')) return responses;
  for await (const rows of db.batches(selectResponses(m), [], BATCH_ROWS)) {
    for (const row of rows) {
      const target = targetOf(row.target);
      if (target === null) continue;
      const sender = flagOf(row.fromMe) ? null : (handles.get(intOf(row.handle) ?? 0) ?? null);
      if (intOf(row.kind) === VOTE) addVotes(responses, target, row, sender, nameOf);
      else addReaction(responses, target, row, sender, nameOf);
    }
  }
  return responses;
}

/** Later rows override earlier ones. The plus keeps SQLite from scanning all messages just to get their order. */
function selectResponses(m: Columns): string {
  const payload = m.has('payload_data')
    ? `CASE WHEN m.associated_message_type = ${VOTE} THEN m.payload_data END`
    : 'NULL';
  return `SELECT m.associated_message_guid AS target, m.associated_message_type AS kind,
      ${m.pick('emoji', 'associated_message_emoji')}, ${m.pick('handle', 'handle_id')},
      ${m.pick('fromMe', 'is_from_me')}, ${m.pick('date', 'date')}, ${payload} AS payload
    FROM message AS m
    WHERE m.associated_message_guid > '' AND m.associated_message_type BETWEEN ${REACTION} AND ${VOTE}
    ORDER BY +m.ROWID`;
}

function addReaction(
  { reactions }: MessageResponses,
  target: string,
  row: SqliteRow,
  sender: string | null,
  nameOf: NameOf,
): void {
  const type = intOf(row.kind) ?? 0;
  const kind = REACTION_KINDS[type % 1000];
  if (kind === undefined) return;
  const isFromMe = flagOf(row.fromMe);
  const isRemoved = type >= REMOVED_REACTION;
  const emoji = textOf(row.emoji);
  const isReplaced = (other: Reaction): boolean =>
    other.is_from_me === isFromMe &&
    other.sender === sender &&
    other.kind === kind &&
    ((isRemoved && emoji === null) || other.emoji === emoji);
  const others = (reactions.get(target) ?? []).filter((other) => !isReplaced(other));
  if (!isRemoved)
    others.push({
      kind,
      emoji,
      sender,
      sender_name: nameOf(sender),
      is_from_me: isFromMe,
      sent_at: appleTime(row.date),
    });
  reactions.set(target, others);
}

function addVotes(
  { votes }: MessageResponses,
  target: string,
  row: SqliteRow,
  sender: string | null,
  nameOf: NameOf,
): void {
  const byChoice = votes.get(target) ?? new Map<string, Set<string>>();
  votes.set(target, byChoice);
  const payload = readPayload(bytesOf(row.payload));
  for (const { choice, voter, isSelected } of payload ? votesOf(payload) : []) {
    const voters = byChoice.get(choice) ?? new Set();
    byChoice.set(choice, voters);
    const handle = voter ?? sender;
    const name = nameOf(handle) ?? handle ?? '✓';
    if (isSelected) voters.add(name);
    else voters.delete(name);
  }
}
