import { z } from 'zod';
import { timestamp } from '../wire.ts';

const when = timestamp.nullable();
const text = z.string().nullable();
const fileId = z.string().nullable();

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
    is_trashed: z.boolean(),
    /** Null if the phone does not say when. */
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
  /** `table` has `rows`; `scan` is a photographed document with one file per page. */
  kind: z.enum(['image', 'scan', 'drawing', 'table', 'audio', 'video', 'pdf', 'link', 'file']),
  title: text,
  file_id: fileId,
  relative_path: text,
  uti: text,
  rows: z.array(z.array(z.string())).nullable(),
  url: text,
  /** Text that the phone recognized in an image, a scan or a drawing. */
  recognised_text: text,
});
export type NoteAttachment = z.output<typeof noteAttachment>;
export const noteRow = z.object({
  note_identifier: z.string(),
  title: text,
  /** Null for a locked note, which Hearth can't open. Each U+FFFC marks an attachment, in order. */
  body: text,
  folder: text,
  created_at: when,
  last_modified_at: when,
  is_locked: z.boolean(),
  is_pinned: z.boolean(),
  is_deleted: z.boolean(),
  account: text,
  attachments: z.array(noteAttachment),
  /** Checklist items, by the zero-based line of the body. */
  checklist: z.array(z.object({ line: z.int(), is_done: z.boolean() })),
});
export type NoteRow = z.output<typeof noteRow>;

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
