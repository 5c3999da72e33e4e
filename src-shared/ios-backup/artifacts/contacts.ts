import type { ContactRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { columnsOf, countOf, rowsOf, type ArtifactReader, type Columns } from './source.ts';
import { appleTime, intOf, numberOf, textOf } from './column-values.ts';

/** The location of the address book in a backup. */
export const CONTACTS_DOMAIN = 'HomeDomain';
export const ADDRESS_BOOK = 'Library/AddressBook/AddressBook.sqlitedb';
export const ADDRESS_BOOK_IMAGES = 'Library/AddressBook/AddressBookImages.sqlitedb';

/** `ABMultiValue.property` (ABPerson.h of the SDK): the type of a value. */
const KINDS: Record<number, ContactRow['labelled'][number]['kind']> = {
  3: 'phone',
  4: 'email',
  5: 'address',
  12: 'date',
  22: 'url',
};
/** Order in which people read the parts of an address. */
const ADDRESS_PARTS = ['street', 'sublocality', 'zip', 'city', 'state', 'country'];

/** Unwraps `_$!<Mobile>!$_`, Apple's form of labels that it translates; a user's own labels stay unchanged. */
const labelOf = (label: string | null): string | null =>
  /^_\$!<(.*)>!\$_$/.exec(label ?? '')?.[1]?.toLowerCase() ?? (label || null);

type Labelled = ContactRow['labelled'][number];

/** Contacts. Reading them also adds their names to `tools.people`, which all other artifacts use. */
export const contacts: ArtifactReader = {
  name: 'contacts',
  async *read(source, tools) {
    const db = await source.database(CONTACTS_DOMAIN, ADDRESS_BOOK);
    if (!db) return;
    try {
      const person = await columnsOf(db, 'ABPerson', 'p');
      if (!person.exists) return;
      tools.expect(await countOf(db, 'ABPerson'));
      const values = await readValuesByPerson(db);
      const pictures = await readPersonsWithPicture(source);
      const imageFile = (await source.files(CONTACTS_DOMAIN)).get(ADDRESS_BOOK_IMAGES)?.file_id ?? null;
      for await (const rows of rowsOf(
        db,
        selectContacts(person),
        (row): ContactRow => {
          const id = intOf(row.id) ?? 0;
          const contact = contactOf(row, values.get(id) ?? [], pictures.has(id) ? imageFile : null);
          const name = displayNameOf(contact);
          if (name) for (const handle of [...contact.phones, ...contact.emails]) tools.people.add(handle, name);
          return contact;
        },
        tools,
      ))
        yield { table: 'contacts', rows };
    } finally {
      await db.close();
    }
  },
};

const selectContacts = (person: Columns): string =>
  `SELECT p.ROWID AS id, ${person.pick('guid', 'guid', 'ExternalUUID')},
      ${person.pick('first', 'First')}, ${person.pick('last', 'Last')}, ${person.pick('middle', 'Middle')},
      ${person.pick('prefix', 'Prefix')}, ${person.pick('suffix', 'Suffix')},
      ${person.pick('company', 'Organization')}, ${person.pick('department', 'Department')},
      ${person.pick('job', 'JobTitle')}, ${person.pick('nickname', 'Nickname')}, ${person.pick('note', 'Note')},
      ${person.pick('birthday', 'Birthday')}, ${person.pick('modified', 'ModificationDate')}
    FROM ABPerson AS p ORDER BY p.ROWID`;

function contactOf(row: SqliteRow, labelled: Labelled[], avatarFileId: string | null): ContactRow {
  const valuesOf = (kind: Labelled['kind']): string[] =>
    labelled.filter((value) => value.kind === kind).map((value) => value.value);
  return {
    contact_identifier: textOf(row.guid) ?? String(intOf(row.id) ?? 0),
    first_name: textOf(row.first),
    last_name: textOf(row.last),
    company: textOf(row.company),
    emails: valuesOf('email'),
    phones: valuesOf('phone'),
    avatar_file_id: avatarFileId,
    prefix: textOf(row.prefix),
    middle_name: textOf(row.middle),
    suffix: textOf(row.suffix),
    nickname: textOf(row.nickname),
    department: textOf(row.department),
    job_title: textOf(row.job),
    birthday: birthdayOf(row.birthday),
    note: textOf(row.note),
    labelled,
    modified_at: appleTime(row.modified),
  };
}

const displayNameOf = ({ first_name, last_name, nickname, company }: ContactRow): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || nickname || company;

/**
 * Converts a birthday: seconds since 2001, stored as text in older address books. The time is noon UTC, so that no time
 * zone moves it to another day.
 */
function birthdayOf(value: Parameters<typeof numberOf>[0]): string | null {
  const seconds = numberOf(value);
  if (seconds === null) return null;
  const date = new Date((seconds + 978_307_200) * 1000);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1600 || date.getUTCFullYear() > 2200
    ? null
    : date.toISOString().slice(0, 10);
}

async function readValuesByPerson(db: SqliteDatabase): Promise<Map<number, Labelled[]>> {
  const value = await columnsOf(db, 'ABMultiValue', 'v');
  const byPerson = new Map<number, Labelled[]>();
  if (!value.exists) return byPerson;
  const hasLabels = value.has('label') && (await columnsOf(db, 'ABMultiValueLabel', 'l')).exists;
  const parts = await readPartsByValue(db);
  const sql = `SELECT ${value.pick('id', 'UID', 'ROWID')}, v.record_id AS person, v.property AS property,
      ${value.pick('value', 'value')}, ${hasLabels ? 'l.value' : 'NULL'} AS label
    FROM ABMultiValue AS v
    ${hasLabels ? 'LEFT JOIN ABMultiValueLabel AS l ON l.ROWID = v.label' : ''}
    ORDER BY v.record_id, v.property${value.has('identifier') ? ', v.identifier' : ''}`;
  for await (const rows of db.batches(sql)) {
    for (const row of rows) {
      const kind = KINDS[intOf(row.property) ?? -1] ?? 'other';
      const ownParts = parts.get(intOf(row.id) ?? -1);
      const readText = (): string | null | undefined => {
        if (kind === 'address') return ownParts && linesOf(ownParts);
        if (kind === 'date') return birthdayOf(row.value);
        return textOf(row.value) ?? (ownParts && accountOf(ownParts));
      };
      const text = readText();
      if (!text) continue;
      const person = intOf(row.person) ?? -1;
      const list = byPerson.get(person);
      const entry = { kind, label: labelOf(textOf(row.label)), value: text };
      if (list) list.push(entry);
      else byPerson.set(person, [entry]);
    }
  }
  return byPerson;
}

/** Reads the parts of addresses and messenger accounts, by value and lower-case name. */
async function readPartsByValue(db: SqliteDatabase): Promise<Map<number, Map<string, string>>> {
  const entry = await columnsOf(db, 'ABMultiValueEntry', 'e');
  const keys = await columnsOf(db, 'ABMultiValueEntryKey', 'k');
  const byParent = new Map<number, Map<string, string>>();
  if (!entry.exists || !keys.exists) return byParent;
  for await (const rows of db.batches(
    `SELECT e.parent_id AS parent, lower(k.value) AS name, e.value AS value
      FROM ABMultiValueEntry AS e
      JOIN ABMultiValueEntryKey AS k ON k.ROWID = e.key`,
  )) {
    for (const row of rows) {
      const parent = intOf(row.parent) ?? -1;
      const parts = byParent.get(parent) ?? new Map<string, string>();
      byParent.set(parent, parts.set(textOf(row.name) ?? '', textOf(row.value) ?? ''));
    }
  }
  return byParent;
}

/** Formats an address, with separate lines for street and city. */
function linesOf(parts: ReadonlyMap<string, string>): string {
  const [street, sub, zip, city, ...rest] = ADDRESS_PARTS.map((name) => parts.get(name) ?? '');
  return [street, sub, [zip, city].filter(Boolean).join(' '), ...rest]
    .filter((line) => line !== undefined && line !== '')
    .join('\n');
}

/** Describes an account of a messenger (property 13) or a social network (46): `elena (Skype)`. */
function accountOf(parts: ReadonlyMap<string, string>): string | null {
  const name = parts.get('username') ?? parts.get('displayname') ?? parts.get('url');
  const service = parts.get('service');
  return name ? `${name}${service ? ` (${service})` : ''}` : null;
}

async function readPersonsWithPicture(source: Parameters<ArtifactReader['read']>[0]): Promise<Set<number>> {
  const db = await source.database(CONTACTS_DOMAIN, ADDRESS_BOOK_IMAGES);
  if (!db) return new Set();
  try {
    const table = (await columnsOf(db, 'ABFullSizeImage', 'i')).exists ? 'ABFullSizeImage' : 'ABThumbnailImage';
    const columns = await columnsOf(db, table, 'i');
    if (!columns.exists || !columns.has('record_id')) return new Set();
    const rows = await db.query(`SELECT DISTINCT record_id AS id FROM ${table}`);
    return new Set(rows.map((row) => intOf(row.id) ?? -1));
  } finally {
    await db.close();
  }
}
