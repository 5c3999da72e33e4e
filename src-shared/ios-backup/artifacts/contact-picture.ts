import type { ContactPicture } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase } from '../ports.ts';
import { ADDRESS_BOOK, CONTACTS_DOMAIN, ADDRESS_BOOK_IMAGES } from './contacts.ts';
import { columnsOf, type ArtifactSource } from './source.ts';
import { bytesOf, intOf } from './column-values.ts';

/** Larger pictures are left out: the address book stores pictures of a few hundred kilobytes. */
const MAX_BYTES = 8 * 1024 * 1024;
/** The original picture, then the thumbnails that the phone made of it. */
const TABLES = ['ABFullSizeImage', 'ABThumbnailImage'];
const MAGIC_NUMBERS = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
] as const;

/** Reads the picture of a contact from the picture database; null if there is none that browsers can show. */
export async function contactPicture(
  source: ArtifactSource,
  contactIdentifier: string,
): Promise<ContactPicture | null> {
  const person = await withDatabase(await source.database(CONTACTS_DOMAIN, ADDRESS_BOOK), (db) =>
    findPersonRow(db, contactIdentifier),
  );
  if (person === null) return null;
  return withDatabase(await source.database(CONTACTS_DOMAIN, ADDRESS_BOOK_IMAGES), async (db) => {
    for (const table of TABLES) {
      const columns = await columnsOf(db, table, 'i');
      if (!columns.has('record_id') || !columns.has('data')) continue;
      const [row] = await db.query(
        `SELECT i.data AS data
          FROM ${table} AS i
          WHERE i.record_id = ? AND length(i.data) BETWEEN 1 AND ${MAX_BYTES}
          ORDER BY length(i.data) DESC
          LIMIT 1`,
        [person],
      );
      const bytes = bytesOf(row?.data),
        mime = bytes && MAGIC_NUMBERS.find(([, magic]) => magic.every((byte, i) => bytes[i] === byte))?.[0];
      if (bytes && mime) return { mime_type: mime, data: base64(bytes) };
    }
    return null;
  });
}

/** Runs `work` and closes the database; null without a database. */
async function withDatabase<T>(
  db: SqliteDatabase | null,
  work: (db: SqliteDatabase) => Promise<T | null>,
): Promise<T | null> {
  try {
    return db && (await work(db));
  } finally {
    await db?.close();
  }
}

/** Finds the row of a contact: by its identifier, or by its number if the address book has no identifiers. */
async function findPersonRow(db: SqliteDatabase, identifier: string): Promise<number | null> {
  const person = await columnsOf(db, 'ABPerson', 'p');
  if (!person.exists) return null;
  const [row] = await db.query(
    `SELECT p.ROWID AS id
      FROM ABPerson AS p
      WHERE coalesce(nullif(${person.expr('guid', 'ExternalUUID')}, ''), CAST(p.ROWID AS TEXT)) = ?
      LIMIT 1`,
    [identifier],
  );
  return intOf(row?.id);
}

/** Encodes base64 (RFC 4648) with `btoa`, in pieces because the number of arguments of a call is limited. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
