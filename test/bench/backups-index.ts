/**
 * Indexing of a phone with many messages, in the thread and with the code of the service: `node
 * test/bench/backups-index.ts [messages]`.
 */
import Database from 'better-sqlite3';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startThread } from '../../src-main/features/phone-backups/open-thread.ts';
import { openIndexReader } from '../../src-main/features/phone-backups/index-reader.repository.ts';
import { attributedBody } from '../fixtures/ios-backup/artifacts/encoders.ts';
import { generateBackup } from '../fixtures/ios-backup/generate.ts';
import { watchMemory } from '../support/memory.ts';

/** Rows a second, and megabytes of all processes, that the index of a phone must keep to. */
const TARGET = { rowsPerSecond: 50_000, megabytes: 400 };
const WORDS = (
  'heute morgen der Termin beim Arzt war gut und das Labor ruft noch an wegen Blutwerte bis spaeter ' +
  'danke sehr wann kommst du nach Hause Bahnhof Abendessen Kinder Schule Wochenende'
).split(' ');

/**
 * `sms.db` with so many messages in 500 conversations; four in five have their text in a typed stream only, as phones
 * do since iOS 16.
 */
function manyMessages(path: string, count: number): void {
  const db = new Database(path);
  db.pragma('journal_mode = OFF');
  db.exec(`CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, text TEXT, handle_id INTEGER, service
    TEXT, attributedBody BLOB, date INTEGER, date_read INTEGER, date_delivered INTEGER, is_from_me INTEGER,
    cache_has_attachments INTEGER, item_type INTEGER, group_title TEXT, associated_message_guid TEXT,
    associated_message_type INTEGER, thread_originator_guid TEXT, message_summary_info BLOB, date_edited INTEGER,
    date_retracted INTEGER);
    CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT); CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid
      TEXT, style INTEGER, chat_identifier TEXT, service_name TEXT, display_name TEXT);
    CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER); CREATE TABLE chat_message_join (chat_id
      INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id));
    CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY, filename TEXT, mime_type TEXT, transfer_name TEXT,
      total_bytes INTEGER); CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER, UNIQUE
      (message_id, attachment_id))`);
  const message = db.prepare(
    "INSERT INTO message VALUES (?, ?, ?, ?, 'iMessage', ?, ?, 0, 0, ?, 0, 0, NULL, NULL, 0, NULL, NULL, 0, 0)",
  );
  const join_ = db.prepare('INSERT INTO chat_message_join VALUES (?, ?)');
  db.exec('BEGIN');
  for (let i = 1; i <= 500; i += 1) {
    db.prepare('INSERT INTO handle VALUES (?, ?)').run(i, `+4179${String(i).padStart(7, '0')}`);
    db.prepare("INSERT INTO chat VALUES (?, ?, 45, ?, 'iMessage', '')").run(
      i,
      `iMessage;-;+4179${String(i).padStart(7, '0')}`,
      `+4179${String(i).padStart(7, '0')}`,
    );
    db.prepare('INSERT INTO chat_handle_join VALUES (?, ?)').run(i, i);
  }
  for (let id = 1; id <= count; id += 1) {
    const text = Array.from({ length: 4 + (id % 12) }, (_, word) => WORDS[(id * 7 + word * 13) % WORDS.length]).join(
      ' ',
    );
    message.run(
      id,
      `GUID-${id}`,
      id % 5 === 0 ? text : null,
      1 + (id % 500),
      id % 5 === 0 ? null : attributedBody(text),
      BigInt(600_000_000 + id * 60) * 1_000_000_000n,
      id % 2,
    );
    join_.run(1 + (id % 500), id);
  }
  db.exec('COMMIT');
  db.close();
}

async function benchIndex(
  count: number,
): Promise<{ rowsPerSecond: number; megabytes: number; searchMs: number; ok: boolean }> {
  const root = mkdtempSync(join(tmpdir(), 'hearth-bench-index-'));
  try {
    const sandbox = join(root, 'sandbox'),
      folder = join(root, 'phone'),
      file = join(root, 'index.sqlite');
    mkdirSync(sandbox);
    // Made by another process, whose memory is not ours.
    const { status, stderr } = spawnSync(process.execPath, [import.meta.filename, '--make', root, String(count)], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    const thread = startThread();
    await thread.call('open', { folder, sandbox, password: 'wort' });
    const largest = watchMemory(process.pid);
    const started = performance.now();
    await thread.call('index', { file, artifacts: ['messages'] });
    const seconds = (performance.now() - started) / 1000;
    const peak = (largest() ?? 0) / 2 ** 20;
    await thread.end();
    const reader = openIndexReader(file);
    const asked = performance.now();
    const found = reader?.search('Blutwerte Termin', undefined, { limit: 100, offset: 0 });
    const searchMs = performance.now() - asked;
    if (reader?.list('messages', { limit: 1, offset: 0 }).total !== count || !found?.total)
      throw new Error('the index does not hold what it should');
    reader.close();
    const rowsPerSecond = count / seconds;
    return {
      rowsPerSecond,
      megabytes: peak,
      searchMs,
      ok: rowsPerSecond >= TARGET.rowsPerSecond && peak < TARGET.megabytes,
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function make(root: string, count: number): Promise<void> {
  const sms = join(root, 'sms.db');
  manyMessages(sms, count);
  await generateBackup({
    folder: join(root, 'phone'),
    keybag: { password: 'wort', firstRounds: 2 },
    entries: [{ domain: 'HomeDomain', path: 'Library/SMS/sms.db', content: { file: sms } }],
  });
  rmSync(sms);
}

if (import.meta.main && process.argv[2] === '--make') await make(process.argv[3] ?? '', Number(process.argv[4]));
else if (import.meta.main) {
  const { rowsPerSecond, megabytes, searchMs, ok } = await benchIndex(Number(process.argv[2] ?? 1_000_000));
  process.stdout.write(
    `${ok ? 'ok  ' : 'OVER'} ${'index of messages'.padEnd(52)} ${Math.round(rowsPerSecond)} rows/s, ` +
      `at least ${TARGET.rowsPerSecond}; at most ` +
      `${Math.round(megabytes)} MB, under ${TARGET.megabytes}; a search ${searchMs.toFixed(0)} ms\n`,
  );
  process.exitCode = ok ? 0 : 1;
}
