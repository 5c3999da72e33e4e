import { z } from 'zod';
import { timestamp } from '../wire.ts';

const when = timestamp.nullable();
const text = z.string().nullable();
const fileId = z.string().nullable();

export const attachment = z.object({
  file_id: fileId,
  relative_path: text,
  mime_type: text,
  size_bytes: z.int().nullable(),
  filename: text,
});
export type Attachment = z.output<typeof attachment>;

export const REACTIONS = [
  'loved',
  'liked',
  'disliked',
  'laughed',
  'emphasized',
  'questioned',
  'emoji',
  'sticker',
] as const;
export const MESSAGE_EVENTS = [
  'named',
  'joined',
  'left',
  'removed',
  'picture_changed',
  'picture_removed',
  'group_made',
  'location_shared',
  'location_ended',
  'audio_kept',
  'call',
  'call_missed',
  'encrypted',
  'key_changed',
  'other',
] as const;
export const messageRow = z.object({
  message_guid: z.string(),
  sender: text,
  sender_name: text,
  is_from_me: z.boolean(),
  sent_at: when,
  /** Null for a message without text, such as an attachment alone or an unsent message. */
  text,
  /** `event`: a member joined or left, the group was renamed, a call took place or encryption keys changed. */
  kind: z.enum(['message', 'event', 'location', 'contact', 'sticker', 'deleted']),
  has_attachments: z.boolean(),
  attachments: z.array(attachment),
  service: text,
  subject: text,
  read_at: when,
  delivered_at: when,
  reply_to_guid: text,
  reactions: z.array(
    z.object({
      kind: z.enum(REACTIONS),
      emoji: text,
      sender: text,
      sender_name: text,
      is_from_me: z.boolean(),
      sent_at: when,
    }),
  ),
  /** Earlier versions, oldest first, with the time of the edit that replaced each; `text` has the current one. */
  edits: z.array(z.object({ text, edited_at: when })),
  is_unsent: z.boolean(),
  /** What happened, and to whom if not to the sender. For `named`, `text` is the new name. */
  event: z.object({ kind: z.enum(MESSAGE_EVENTS), handle: text, name: text }).nullable(),
});
export type MessageRow = z.output<typeof messageRow>;

const participant = z.object({ handle: z.string(), name: text });
export const conversationRow = z.object({
  conversation_guid: z.string(),
  service: text,
  display_name: text,
  last_message_at: when,
  participant_handles: z.array(z.string()),
  participants: z.array(participant),
  message_count: z.int(),
  is_group: z.boolean(),
});
export type ConversationRow = z.output<typeof conversationRow>;

export const chatRow = z.object({
  chat_guid: z.string(),
  title: text,
  participant_count: z.int(),
  last_message_at: when,
  participants: z.array(participant),
  message_count: z.int(),
  is_group: z.boolean(),
  is_archived: z.boolean(),
});
export type ChatRow = z.output<typeof chatRow>;
