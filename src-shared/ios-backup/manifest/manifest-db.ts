import { BackupError } from '../errors.ts';
import type { ByteSource, SqliteDatabase, SqliteReader, SqliteRow, SqliteValue } from '../ports.ts';
import { isSafeFileId } from './entry.ts';
import { EntryIndex, type IndexRow } from './entry-index.ts';
import { NO_RECORD, readFileRecord, readShortRecord, type ShortRecord } from './file-record.ts';
import type { Manifest } from './manifest.ts';

const REQUIRED_COLUMNS = ['fileID', 'domain', 'relativePath', 'flags'];
const HEADER = 'SQLite format 3\0';
const BATCH_ROWS = 2000;

/** Whether the bytes start with the header of a SQLite database. */
export async function isSqlite(source: ByteSource): Promise<boolean> {
  if (source.size < 100) return false;
  const start = await source.read(0, HEADER.length);
  return HEADER.split('').every((char, i) => start[i] === char.charCodeAt(0));
}

/**
 * Opens Manifest.db (iOS 10 and later) with the write-ahead log that another program may have left, and indexes its
 * entries. Throws `damaged_manifest`.
 */
export async function openManifestDb(
  source: ByteSource,
  wal: ByteSource | undefined,
  sqlite: SqliteReader,
  onRows?: (rows: number) => void,
): Promise<Manifest> {
  const broken = (reason: string, cause?: unknown): BackupError =>
    cause instanceof BackupError ? cause : new BackupError('damaged_manifest', { reason }, cause);
  const db = await sqlite.open(source, wal).catch((error: unknown) => {
    throw broken('the database does not open', error);
  });
  try {
    const columns = (await isStored(db, 'Files')) ? await db.columns('Files') : [];
    if (REQUIRED_COLUMNS.some((column) => !columns.includes(column)))
      throw broken('the table Files is missing or incomplete');
    const hasRecords = columns.includes('file');
    const rows = db.batches(
      `SELECT fileID, domain, relativePath, flags, ${hasRecords ? 'file' : 'NULL AS file'} FROM Files`,
      [],
      BATCH_ROWS,
    );
    const index = await EntryIndex.create(indexRows(rows), onRows);
    return {
      index,
      async record(fileId) {
        if (!hasRecords) return NO_RECORD;
        try {
          const [row] = await db.query('SELECT file FROM Files WHERE fileID IN (?, CAST(? AS BLOB))', [fileId, fileId]);
          return row?.file instanceof Uint8Array ? readFileRecord(row.file) : NO_RECORD;
        } catch (error) {
          throw new BackupError('damaged_record', {}, error);
        }
      },
      async close() {
        index.wipe();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw broken('the database cannot be read', error);
  }
}

/** Whether a table stores its rows: a view or a virtual table could produce endless rows. */
async function isStored(db: SqliteDatabase, table: string): Promise<boolean> {
  return (
    (await db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?", [table]))
      .length === 1
  );
}

async function* indexRows(batches: AsyncIterable<SqliteRow[]>): AsyncGenerator<IndexRow[]> {
  let row = 0;
  for await (const rows of batches)
    yield rows.map((each) => {
      row += 1;
      return indexRow(each, row);
    });
}

/**
 * Returns the id of a row. The column may contain any type: bytes are read as text, and a row whose id is not a text
 * gets its number. Such a row is listed and counted but has no content.
 */
function fileIdOf(value: SqliteValue, row: number): string {
  if (typeof value === 'string') return value;
  const decoded = value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : '';
  return isSafeFileId(decoded) ? decoded : `row ${row}`;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function indexRow(row: SqliteRow, number: number): IndexRow {
  return {
    fileId: fileIdOf(row.fileID ?? null, number),
    domain: text(row.domain),
    relativePath: text(row.relativePath),
    flags: typeof row.flags === 'number' ? row.flags : 0,
    ...shortRecord(row.file),
  };
}

/** An entry with a damaged record is listed without size and date. */
function shortRecord(file: unknown): ShortRecord {
  try {
    if (file instanceof Uint8Array) return readShortRecord(file);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
  }
  return { size: null, modifiedAt: null, protectionClass: null, encrypted: false };
}
