import type { RecordingRow, VoicemailRow } from '../../contract/phone-backups/artifacts.ts';
import { readPlist } from '../format/plist.ts';
import { isDictionary } from '../format/plist-value.ts';
import { isKeyedArchive, unarchive } from '../format/keyed-archive.ts';
import { columnsOf, countOf, rowsOf, type ArtifactReader, type ArtifactSource, type FileRef } from './source.ts';
import { appleTime, flagOf, intOf, numberOf, textOf, unixTime } from './column-values.ts';

const MAIL_FOLDER = 'Library/Voicemail';
/** Minutes of speech are some kilobytes. */
const MAX_TRANSCRIPT = 4 * 2 ** 20;
const SOUNDS = ['amr', 'm4a', 'caf'];

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
      const transcripts = await transcriptsOf(source, files);
      const sql = `SELECT v.ROWID AS id, ${mail.pick('sender', 'sender', 'callback_num')},
          ${mail.pick('date', 'date')}, ${mail.pick('duration', 'duration')},
          ${mail.pick('trashed', 'trashed_date')}, ${mail.pick('uuid', 'uuid', 'remote_uid')}
        FROM voicemail AS v ORDER BY v.ROWID`;
      for await (const rows of rowsOf(
        db,
        sql,
        (row): VoicemailRow => {
          const id = intOf(row.id);
          const sender = textOf(row.sender);
          const path =
            SOUNDS.map((ending) => `${MAIL_FOLDER}/${id}.${ending}`).find((candidate) => files.has(candidate)) ?? null;
          const file = path === null ? undefined : files.get(path);
          return {
            voicemail_identifier: String(id),
            sender,
            sender_name: tools.people.nameOf(sender),
            received_at: unixTime(row.date),
            duration_seconds: numberOf(row.duration) ?? 0,
            trashed_at: appleTime(row.trashed),
            transcript: transcripts.get(`${id}`) ?? null,
            file_id: file?.file_id ?? null,
            relative_path: file ? path : null,
          };
        },
        tools,
      ))
        yield { table: 'voicemails', rows };
    } finally {
      await db.close();
    }
  },
};

/** Text by the number of a message: keyed archives of `VMVoicemailTranscript`, whose `transcriptionString` is the whole (iLEAPP, `voicemail.py`). */
async function transcriptsOf(
  source: ArtifactSource,
  files: ReadonlyMap<string, FileRef>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of files.keys()) {
    const [, id] = /^Library\/Voicemail\/(\d+)\.transcript$/.exec(path) ?? [];
    const bytes = id === undefined ? null : await source.file('HomeDomain', path, MAX_TRANSCRIPT);
    const text = bytes && transcriptOf(bytes);
    if (id !== undefined && text) found.set(id, text);
  }
  return found;
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

/** Matches the label of an untitled memo, which is its time. */
const IS_MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z?$/;

/** Where voice memos are: an app group since iOS 12, the media domain before; the database changed its name with it. */
const MEMO_PLACES: [domain: string, folder: string, database: string][] = [
  ['AppDomainGroup-group.com.apple.VoiceMemos.shared', 'Recordings', 'CloudRecordings.db'],
  ['MediaDomain', 'Media/Recordings', 'CloudRecordings.db'],
  ['MediaDomain', 'Media/Recordings', 'Recordings.db'],
];

export const recordings: ArtifactReader = {
  name: 'recordings',
  async *read(source, tools) {
    for (const [domain, folder, name] of MEMO_PLACES) {
      const db = await source.database(domain, `${folder}/${name}`);
      if (!db) continue;
      try {
        const table = (await columnsOf(db, 'ZCLOUDRECORDING', 'r')).exists ? 'ZCLOUDRECORDING' : 'ZRECORDING';
        const memo = await columnsOf(db, table, 'r');
        if (!memo.exists) return;
        tools.expect(await countOf(db, table));
        const album = await columnsOf(db, 'ZFOLDER', 'f');
        const hasFolder = album.exists && memo.has('ZFOLDER');
        const files = await source.files(domain);
        const sql = `SELECT r.Z_PK AS id, ${memo.pick('uuid', 'ZUNIQUEID')},
            ${memo.pick('title', 'ZENCRYPTEDTITLE')}, ${memo.pick('sorting', 'ZCUSTOMLABELFORSORTING')},
            ${memo.pick('label', 'ZCUSTOMLABEL')}, ${memo.pick('date', 'ZDATE')},
            ${memo.pick('duration', 'ZDURATION', 'ZLOCALDURATION')}, ${memo.pick('path', 'ZPATH')},
            ${memo.pick('evicted', 'ZEVICTIONDATE')},
            ${hasFolder ? album.expr('ZENCRYPTEDNAME', 'ZNAME') : 'NULL'} AS folder
          FROM ${table} AS r
          ${hasFolder ? 'LEFT JOIN ZFOLDER AS f ON f.Z_PK = r.ZFOLDER' : ''}
          ORDER BY r.Z_PK`;
        for await (const rows of rowsOf(
          db,
          sql,
          (row): RecordingRow => {
            const stored = textOf(row.path);
            const path = stored === null ? null : `${folder}/${stored.split('/').at(-1)}`;
            const file = path === null ? undefined : files.get(path);
            return {
              recording_identifier: textOf(row.uuid) ?? String(intOf(row.id)),
              title:
                textOf(row.title) ??
                [textOf(row.label), textOf(row.sorting)].find((label) => label !== null && !IS_MOMENT.test(label)) ??
                null,
              recorded_at: appleTime(row.date),
              duration_seconds: numberOf(row.duration) ?? 0,
              folder: textOf(row.folder),
              is_deleted: flagOf(row.evicted),
              file_id: file?.file_id ?? null,
              relative_path: file ? path : null,
            };
          },
          tools,
        ))
          yield { table: 'recordings', rows };
        return;
      } finally {
        await db.close();
      }
    }
  },
};
