import { z } from 'zod';
import { civilDate, timestamp } from '../wire.ts';

/**
 * What is read from the databases of a phone backup, as it goes over the wire. The service sends these rows from its index, the worker
 * of the renderer makes the same from the files themselves. Times are UTC; null where the phone has none, or an impossible one.
 * A `file_id` is null where the backup holds no such file (photos that stay in iCloud, attachments that were never loaded).
 */

/** Kinds of artifacts, in the order in which they are indexed: contacts first, for the others are named by them. */
export const ARTIFACTS = [
  'contacts',
  'messages',
  'whatsapp',
  'calls',
  'photos',
  'notes',
  'calendar',
  'safari',
  'voicemail',
  'recordings',
  'health',
  'medications',
  'apps',
  'accounts',
] as const;
export const artifactName = z.enum(ARTIFACTS);
export type ArtifactName = z.output<typeof artifactName>;

const when = timestamp.nullable();
const text = z.string().nullable();
const fileId = z.string().nullable();

export const contactRow = z.object({
  contact_identifier: z.string(),
  first_name: text,
  last_name: text,
  company: text,
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  avatar_file_id: fileId,
  prefix: text,
  middle_name: text,
  suffix: text,
  nickname: text,
  department: text,
  job_title: text,
  birthday: text,
  note: text,
  /** Everything that has a label, such as {kind: 'phone', label: 'mobile', value: '+41…'}; of an address the value has line breaks. */
  labelled: z.array(
    z.object({ kind: z.enum(['phone', 'email', 'address', 'url', 'date', 'other']), label: text, value: z.string() }),
  ),
  modified_at: when,
});
export type ContactRow = z.output<typeof contactRow>;
/** A picture of a contact, as base64. */
export const contactPicture = z.object({
  mime_type: z.enum(['image/jpeg', 'image/png', 'image/gif']),
  data: z.base64(),
});
export type ContactPicture = z.output<typeof contactPicture>;

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
  /** Null of a message that has none: an attachment alone, one that was taken back. */
  text,
  /** `event`: somebody joined, left or named the group; a call; a change of encryption keys. */
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
  /** Earlier wordings, oldest first; the present one stands in `text`. */
  edits: z.array(z.object({ text, edited_at: when })),
  is_unsent: z.boolean(),
  /** Of an event: what happened, and to whom where that is somebody else than the sender. `named` has the new name in `text`. */
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

export const callRow = z.object({
  call_identifier: z.string(),
  address: text,
  name: text,
  service: text,
  direction: z.enum(['incoming', 'outgoing']),
  is_answered: z.boolean(),
  is_video: z.boolean(),
  started_at: when,
  duration_seconds: z.number(),
});
export type CallRow = z.output<typeof callRow>;

export const photoRow = z.object({
  asset_id: z.string(),
  original_filename: text,
  relative_path: text,
  file_id: fileId,
  taken_at: when,
  timezone_offset_minutes: z.int().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  media_type: z.enum(['photo', 'video', 'audio', 'other']),
  metadata: z.object({
    uti: text,
    duration_seconds: z.number().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    is_favourite: z.boolean(),
    is_hidden: z.boolean(),
    trashed_at: when,
    is_screenshot: z.boolean(),
    is_edited: z.boolean(),
    edited_file_id: fileId,
    edited_relative_path: text,
    is_live: z.boolean(),
    live_video_file_id: fileId,
    live_video_relative_path: text,
    burst_id: text,
    albums: z.array(z.string()),
    added_at: when,
    size_bytes: z.int().nullable(),
  }),
});
export type PhotoRow = z.output<typeof photoRow>;
export const albumRow = z.object({
  album_id: z.string(),
  title: text,
  kind: z.enum(['album', 'folder', 'imported', 'shared', 'smart', 'other']),
  photo_count: z.int(),
});
export type AlbumRow = z.output<typeof albumRow>;

const noteAttachment = z.object({
  /** `table` has rows; `scan` is a document that was photographed, one file a page. */
  kind: z.enum(['image', 'scan', 'drawing', 'table', 'audio', 'video', 'pdf', 'link', 'file']),
  title: text,
  file_id: fileId,
  relative_path: text,
  uti: text,
  rows: z.array(z.array(z.string())).nullable(),
  url: text,
  /** What the phone read in a picture, a scan or a drawing. */
  recognised_text: text,
});
export type NoteAttachment = z.output<typeof noteAttachment>;
export const noteRow = z.object({
  note_identifier: z.string(),
  title: text,
  /** Null of a locked note, which stays locked. A U+FFFC stands where an attachment does, in their order. */
  body: text,
  folder: text,
  created_at: when,
  last_modified_at: when,
  is_locked: z.boolean(),
  is_pinned: z.boolean(),
  is_deleted: z.boolean(),
  account: text,
  attachments: z.array(noteAttachment),
  /** Lines of the body, counted from 0, that are to be ticked off. */
  checklist: z.array(z.object({ line: z.int(), is_done: z.boolean() })),
});
export type NoteRow = z.output<typeof noteRow>;

export const calendarRow = z.object({
  calendar_identifier: z.string(),
  title: text,
  color: text,
  account: text,
  event_count: z.int(),
});
export type CalendarRow = z.output<typeof calendarRow>;
export const eventRow = z.object({
  event_identifier: z.string(),
  calendar_identifier: text,
  title: text,
  location: text,
  notes: text,
  starts_at: when,
  ends_at: when,
  is_all_day: z.boolean(),
  /** IANA name of the zone that the event was made in; null floats. */
  timezone: text,
  url: text,
  /** RFC 5545, without `RRULE:`; null of an event that happens once. */
  recurrence: text,
  excluded_dates: z.array(z.string()),
  /** Of one occurrence that was changed: its series. */
  series_identifier: text,
  /** When that occurrence would have been: the series does not happen then. Null where the phone did not say. */
  original_starts_at: when,
  attendees: z.array(z.object({ name: text, address: text, status: text })),
  /** When the phone reminds of it: `seconds` from its start, negative before it; or `at`, and `seconds` is null. */
  alarms: z.array(z.object({ seconds: z.int().nullable(), at: when })),
});
export type EventRow = z.output<typeof eventRow>;

export const visitRow = z.object({ url: z.string(), title: text, visited_at: when, visit_count: z.int() });
export type VisitRow = z.output<typeof visitRow>;
export const bookmarkRow = z.object({
  bookmark_identifier: z.string(),
  title: text,
  url: text,
  folder: text,
  kind: z.enum(['bookmark', 'reading_list', 'tab']),
  added_at: when,
});
export type BookmarkRow = z.output<typeof bookmarkRow>;

export const voicemailRow = z.object({
  voicemail_identifier: z.string(),
  sender: text,
  sender_name: text,
  received_at: when,
  duration_seconds: z.number(),
  trashed_at: when,
  transcript: text,
  file_id: fileId,
  relative_path: text,
});
export type VoicemailRow = z.output<typeof voicemailRow>;
export const recordingRow = z.object({
  recording_identifier: z.string(),
  title: text,
  recorded_at: when,
  duration_seconds: z.number(),
  folder: text,
  is_deleted: z.boolean(),
  file_id: fileId,
  relative_path: text,
});
export type RecordingRow = z.output<typeof recordingRow>;

export const sampleRow = z.object({
  sample_identifier: z.string(),
  /** The number that the phone's database has for the type, and our name of it: `heart_rate`; `type_17` of one that nobody published. */
  type_number: z.int(),
  type: z.string(),
  kind: z.enum(['quantity', 'category', 'correlation', 'workout', 'ecg', 'other']),
  /** In `unit`, which is the same for all samples of a type: rates by the minute, shares in percent, else what the phone keeps. */
  value: z.number().nullable(),
  unit: text,
  /** As a person or device gave it, where the phone kept that: `154.3 lb`. */
  entered_value: z.number().nullable(),
  entered_unit: text,
  /** Of a category: what the number means, such as `asleep_deep`. */
  meaning: text,
  started_at: when,
  ended_at: when,
  /** IANA name of the zone where it was recorded; null where the phone did not keep one that is known. */
  timezone: text,
  /** The civil day on which it started there; without a zone, where the computer is that read it. */
  day: civilDate.nullable(),
  source: text,
  source_bundle: text,
  device: text,
  is_user_entered: z.boolean(),
});
export type SampleRow = z.output<typeof sampleRow>;
export const healthType = z.object({
  type: z.string(),
  type_number: z.int(),
  kind: sampleRow.shape.kind,
  unit: text,
  count: z.int(),
  first_at: when,
  last_at: when,
  sources: z.array(z.object({ source: z.string(), count: z.int() })),
  /** May go to a patient's trends: there is a measurement of this name. */
  is_measurement: z.boolean(),
});
export type HealthType = z.output<typeof healthType>;
export const characteristics = z.object({
  date_of_birth: text,
  sex: z.enum(['female', 'male', 'other']).nullable(),
  blood_type: text,
  skin_type: z.int().nullable(),
  wheelchair: z.boolean().nullable(),
});
export type Characteristics = z.output<typeof characteristics>;
export const clinicalRecord = z.object({
  record_identifier: z.string(),
  resource_type: text,
  title: text,
  recorded_at: when,
  source: text,
  fhir_version: text,
  fhir: z.unknown(),
});
export type ClinicalRecord = z.output<typeof clinicalRecord>;
export const medicationRow = z.object({
  medication_identifier: z.string(),
  name: text,
  nickname: text,
  form: text,
  strength: text,
  is_archived: z.boolean(),
  created_at: when,
  doses: z.array(
    z.object({
      taken_at: when,
      quantity: z.number().nullable(),
      unit: text,
      status: z.enum(['taken', 'skipped', 'unknown']),
    }),
  ),
});
export type MedicationRow = z.output<typeof medicationRow>;

export const appRow = z.object({
  bundle_identifier: z.string(),
  name: text,
  version: text,
  has_data: z.boolean(),
  file_count: z.int(),
  size_bytes: z.int(),
});
export type AppRow = z.output<typeof appRow>;
export const accountRow = z.object({
  account_identifier: z.string(),
  type: text,
  username: text,
  description: text,
  owner: text,
  created_at: when,
});
export type AccountRow = z.output<typeof accountRow>;

export const searchHit = z.object({
  artifact: artifactName,
  /** What the row is called where it stands: a message's guid, a note's identifier; `parent` is its conversation. */
  identifier: z.string(),
  parent: text,
  title: text,
  /** Around the words that were found; they stand between U+E000 and U+E001. */
  snippet: z.string(),
  at: when,
  file_id: fileId,
});
export type SearchHit = z.output<typeof searchHit>;
