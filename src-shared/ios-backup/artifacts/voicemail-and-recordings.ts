import type { RecordingRow, VoicemailRow } from '../../contract/phone-backups/artifacts.ts';
import { readPlist } from '../format/plist.ts';
import { isDictionary } from '../format/plist-value.ts';
import { isKeyedArchive, unarchive } from '../format/keyed-archive.ts';
import {
  columnsOf,
  countOf,
  rowsOf,
  type ArtifactReader,
  type ArtifactSource,
  type Columns,
  type FileRef,
  type ReadTools,
} from './source.ts';
import type { SqliteRow } from '../ports.ts';
import { appleTime, flagOf, intOf, numberOf, textOf, unixTime } from './column-values.ts';

const MAIL_FOLDER = 'Library/Voicemail';
/** Transcripts have a few kilobytes per minute of speech. */
const MAX_TRANSCRIPT_BYTES = 4 * 2 ** 20;
const AUDIO_EXTENSIONS = ['amr', 'm4a', 'caf'];

/**
 * Voice messages: `voicemail` of voicemail.db, the recording in `<ROWID>.amr`, its transcript in `<ROWID>.transcript`.
 */
export const voicemail: ArtifactReader = {
  name: 'voicemail',
  async *read(source, tools) {
    const db = await source.database('HomeDomain', 'Library/Voicemail/voicemail.db');
    if (!db) return;
    try {
      const mail = await columnsOf(db, 'voicemail', 'v');
      if (!mail.exists) return;
      tools.expect(await countOf(db, 'voicemail'));
      const files = await source.files('HomeDomain');
      const transcripts = await readTranscripts(source, files);
      const convert = (row: SqliteRow): VoicemailRow => voicemailOf(row, files, transcripts, tools);
      for await (const rows of rowsOf(db, selectVoicemails(mail), convert, tools)) yield { table: 'voicemails', rows };
    } finally {
      await db.close();
    }
  },
};

const selectVoicemails = (mail: Columns): string =>
  `SELECT v.ROWID AS id, ${mail.pick('sender', 'sender', 'callback_num')},
      ${mail.pick('date', 'date')}, ${mail.pick('duration', 'duration')},
      ${mail.pick('trashed', 'trashed_date')}, ${mail.pick('uuid', 'uuid', 'remote_uid')}
    FROM voicemail AS v ORDER BY v.ROWID`;

function voicemailOf(
  row: SqliteRow,
  files: ReadonlyMap<string, FileRef>,
  transcripts: ReadonlyMap<string, string>,
  { people }: ReadTools,
): VoicemailRow {
  const id = intOf(row.id);
  const sender = textOf(row.sender);
  const path =
    AUDIO_EXTENSIONS.map((extension) => `${MAIL_FOLDER}/${id}.${extension}`).find((candidate) =>
      files.has(candidate),
    ) ?? null;
  const file = path === null ? undefined : files.get(path);
  return {
    voicemail_identifier: String(id),
    sender,
    sender_name: people.nameOf(sender),
    received_at: unixTime(row.date),
    duration_seconds: numberOf(row.duration) ?? 0,
    trashed_at: appleTime(row.trashed),
    transcript: transcripts.get(`${id}`) ?? null,
    file_id: file?.file_id ?? null,
    relative_path: file ? path : null,
  };
}

/**
 * Reads transcripts by the number of the message: keyed archives of `VMVoicemailTranscript`, whose
 * `transcriptionString` is the whole text (iLEAPP, `voicemail.py`).
 */
async function readTranscripts(
  source: ArtifactSource,
  files: ReadonlyMap<string, FileRef>,
): Promise<Map<string, string>> {
  const byId = new Map<string, string>();
  for (const path of files.keys()) {
    const [, id] = /^Library\/Voicemail\/(\d+)\.transcript$/.exec(path) ?? [];
    const bytes = id === undefined ? null : await source.file('HomeDomain', path, MAX_TRANSCRIPT_BYTES);
    const text = bytes && transcriptOf(bytes);
    if (id !== undefined && text) byId.set(id, text);
  }
  return byId;
}

function transcriptOf(bytes: Uint8Array): string | null {
  try {
    const plist = readPlist(bytes);
    const root = isKeyedArchive(plist) ? unarchive(plist) : plist;
    return isDictionary(root) && typeof root.transcriptionString === 'string'
      ? root.transcriptionString.trim() || null
      : null;
  } catch {
    return null;
  }
}

/** The label of an untitled memo is its time: `2026-02-10T14:05:00Z`. */
const TIME_LABEL = /^\d{4}-\d\d-\d\dT[\d:.]+Z?$/;

/** Where voice memos are: since iOS 12 in an app group, earlier in the media domain, under two names. */
const MEMO_LOCATIONS: [domain: string, folder: string, database: string][] = [
  ['AppDomainGroup-group.com.apple.VoiceMemos.shared', 'Recordings', 'CloudRecordings.db'],
  ['MediaDomain', 'Media/Recordings', 'CloudRecordings.db'],
  ['MediaDomain', 'Media/Recordings', 'Recordings.db'],
];

/** Voice memos with the names of their folders. */
export const recordings: ArtifactReader = {
  name: 'recordings',
  async *read(source, tools) {
    for (const [domain, folder, name] of MEMO_LOCATIONS) {
      const db = await source.database(domain, `${folder}/${name}`);
      if (!db) continue;
      try {
        const table = (await columnsOf(db, 'ZCLOUDRECORDING', 'r')).exists ? 'ZCLOUDRECORDING' : 'ZRECORDING';
        const memo = await columnsOf(db, table, 'r');
        if (!memo.exists) return;
        tools.expect(await countOf(db, table));
        const sql = selectRecordings(table, memo, await columnsOf(db, 'ZFOLDER', 'f'));
        const files = await source.files(domain);
        for await (const rows of rowsOf(db, sql, (row) => recordingOf(row, folder, files), tools))
          yield { table: 'recordings', rows };
        return;
      } finally {
        await db.close();
      }
    }
  },
};

function selectRecordings(table: string, memo: Columns, folder: Columns): string {
  const hasFolder = folder.exists && memo.has('ZFOLDER');
  return `SELECT r.Z_PK AS id, ${memo.pick('uuid', 'ZUNIQUEID')},
      ${memo.pick('title', 'ZENCRYPTEDTITLE')}, ${memo.pick('sorting', 'ZCUSTOMLABELFORSORTING')},
      ${memo.pick('label', 'ZCUSTOMLABEL')}, ${memo.pick('date', 'ZDATE')},
      ${memo.pick('duration', 'ZDURATION', 'ZLOCALDURATION')}, ${memo.pick('path', 'ZPATH')},
      ${memo.pick('evicted', 'ZEVICTIONDATE')},
      ${hasFolder ? folder.expr('ZENCRYPTEDNAME', 'ZNAME') : 'NULL'} AS folder
    FROM ${table} AS r
    ${hasFolder ? 'LEFT JOIN ZFOLDER AS f ON f.Z_PK = r.ZFOLDER' : ''}
    ORDER BY r.Z_PK`;
}

function recordingOf(row: SqliteRow, folder: string, files: ReadonlyMap<string, FileRef>): RecordingRow {
  const storedPath = textOf(row.path);
  const path = storedPath === null ? null : `${folder}/${storedPath.split('/').at(-1)}`;
  const file = path === null ? undefined : files.get(path);
  const label = [textOf(row.label), textOf(row.sorting)].find((text) => text !== null && !TIME_LABEL.test(text));
  return {
    recording_identifier: textOf(row.uuid) ?? String(intOf(row.id)),
    title: textOf(row.title) ?? label ?? null,
    recorded_at: appleTime(row.date),
    duration_seconds: numberOf(row.duration) ?? 0,
    folder: textOf(row.folder),
    is_deleted: flagOf(row.evicted),
    file_id: file?.file_id ?? null,
    relative_path: file ? path : null,
  };
}
