import type { BookmarkRow, VisitRow } from '../../contract/phone-backups/artifacts.ts';
import { readPlistDictionary } from '../format/plist.ts';
import { isDictionary, type PlistDictionary, type PlistValue } from '../format/plist-value.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import {
  columnsOf,
  countOf,
  rowsOf,
  type ArtifactReader,
  type ArtifactSource,
  type Batch,
  type ReadTools,
} from './source.ts';
import { appleTime, bytesOf, intOf, textOf, unixTime } from './column-values.ts';

/** Where Safari's files are: since about iOS 12 in the app's domain, earlier (and in part still) in the home domain. */
const LOCATIONS: [domain: string, folder: string][] = [
  ['HomeDomain', 'Library/Safari'],
  ['AppDomain-com.apple.mobilesafari', 'Library/Safari'],
];

const openDatabase = async (source: ArtifactSource, name: string): Promise<SqliteDatabase | null> => {
  for (const [domain, folder] of LOCATIONS) {
    const db = await source.database(domain, `${folder}/${name}`);
    if (db) return db;
  }
  return null;
};

/** History, bookmarks with the reading list, and open tabs. */
export const safari: ArtifactReader = {
  name: 'safari',
  async *read(source, tools) {
    yield* readVisits(source, tools);
    yield* readBookmarks(source, tools);
    yield* readTabs(source, tools);
  },
};

/** Reads the history; since iOS 17 also that of each profile. */
async function* readVisits(source: ArtifactSource, tools: ReadTools): AsyncGenerator<Batch> {
  const db = await openDatabase(source, 'History.db');
  if (db) yield* readHistory(db, tools);
  for (const [domain, folder] of LOCATIONS) {
    for (const path of (await source.files(domain)).keys()) {
      if (!path.startsWith(`${folder}/Profiles/`) || !path.endsWith('/History.db')) continue;
      const profile = await source.database(domain, path);
      if (profile) yield* readHistory(profile, tools);
    }
  }
}

async function* readHistory(db: SqliteDatabase, tools: ReadTools): AsyncGenerator<Batch> {
  try {
    const visit = await columnsOf(db, 'history_visits', 'v');
    const item = await columnsOf(db, 'history_items', 'i');
    if (!visit.exists || !item.exists) return;
    tools.expect(await countOf(db, 'history_visits'));
    const sql = `SELECT i.url AS url, coalesce(${visit.expr('title')}, ${item.expr('title')}) AS title,
        ${visit.pick('at', 'visit_time')}, ${item.pick('count', 'visit_count')}
      FROM history_visits AS v
      JOIN history_items AS i ON i.id = v.history_item ORDER BY v.id`;
    for await (const rows of rowsOf(
      db,
      sql,
      (row): VisitRow | null => {
        const url = textOf(row.url);
        return url === null
          ? null
          : { url, title: textOf(row.title), visited_at: appleTime(row.at), visit_count: intOf(row.count) ?? 1 };
      },
      tools,
    ))
      yield { table: 'visits', rows };
  } finally {
    await db.close();
  }
}

async function* readBookmarks(source: ArtifactSource, tools: ReadTools): AsyncGenerator<Batch> {
  const db = await openDatabase(source, 'Bookmarks.db');
  if (!db) return;
  try {
    const mark = await columnsOf(db, 'bookmarks', 'b');
    if (!mark.exists) return;
    tools.expect(await countOf(db, 'bookmarks'));
    const sql = `SELECT b.id AS id, ${mark.pick('parent', 'parent')}, ${mark.pick('title', 'title')},
        ${mark.pick('url', 'url')}, ${mark.pick('type', 'type')}, ${mark.pick('deleted', 'deleted')},
        ${mark.pick('uuid', 'external_uuid', 'server_id')}, ${mark.pick('special', 'special_id')},
        ${mark.pick('read', 'read')}, ${mark.pick('modified', 'last_modified')},
        ${mark.pick('extra', 'extra_attributes')}
      FROM bookmarks AS b`;
    const rows: SqliteRow[] = [];
    for await (const batch of db.batches(sql)) rows.push(...batch);
    const byId = new Map(rows.map((row) => [intOf(row.id) ?? -1, row]));
    // The reading list is Safari's special folder 3; older databases identify it by its title.
    const isReadingList = (row: SqliteRow | undefined): boolean =>
      row !== undefined && (intOf(row.special) === 3 || textOf(row.title) === 'com.apple.ReadingList');
    const bookmarks: BookmarkRow[] = [];
    for (const row of rows) {
      const url = textOf(row.url);
      if (url === null || intOf(row.type) === 1 || intOf(row.deleted) === 1) continue;
      const folder = byId.get(intOf(row.parent) ?? -1);
      const isInReadingList = isReadingList(folder) || (row.read !== null && row.read !== undefined);
      bookmarks.push({
        bookmark_identifier: textOf(row.uuid) ?? String(intOf(row.id)),
        title: textOf(row.title),
        url,
        folder: textOf(folder?.title),
        kind: isInReadingList ? 'reading_list' : 'bookmark',
        added_at: addedAt(row.extra) ?? unixTime(row.modified),
      });
    }
    yield { table: 'bookmarks', rows: bookmarks };
  } finally {
    await db.close();
  }
}

/** Reads the plist with a bookmark's properties. */
function attributesOf(value: SqliteRow[string] | undefined): PlistDictionary {
  const bytes = bytesOf(value);
  try {
    return bytes ? readPlistDictionary(bytes) : {};
  } catch {
    return {};
  }
}

const dateOf = (value: PlistValue | undefined): string | null =>
  value instanceof Date ? value.toISOString().slice(0, 19) : null;

/**
 * Reads from `extra_attributes` when a bookmark was added. The fallback `last_modified` counts from 1970, unlike the
 * phone's other clocks.
 */
function addedAt(extra: SqliteRow[string] | undefined): string | null {
  const attributes = attributesOf(extra);
  for (const key of ['com.apple.ReadingList', 'com.apple.Bookmark']) {
    const part = attributes[key];
    const date = isDictionary(part) ? dateOf(part.DateAdded) : null;
    if (date !== null) return date;
  }
  return null;
}

/**
 * Reads open tabs: since iOS 15 from SafariTabs.db, where they are bookmarks of a group, earlier from BrowserState.db.
 */
async function* readTabs(source: ArtifactSource, tools: ReadTools): AsyncGenerator<Batch> {
  const tabGroups = await openDatabase(source, 'SafariTabs.db');
  if (tabGroups) {
    let hasRows = false;
    for await (const batch of readGroupedTabs(tabGroups, tools)) {
      hasRows ||= batch.rows.length > 0;
      yield batch;
    }
    if (hasRows) return;
  }
  const db = await openDatabase(source, 'BrowserState.db');
  if (!db) return;
  try {
    const tab = await columnsOf(db, 'tabs', 't');
    if (!tab.exists) return;
    tools.expect(await countOf(db, 'tabs'));
    const sql = `SELECT ${tab.pick('uuid', 'uuid', 'id')}, ${tab.pick('title', 'title')}, ${tab.pick('url', 'url')},
        ${tab.pick('viewed', 'last_viewed_time')}
      FROM tabs AS t`;
    for await (const rows of rowsOf(
      db,
      sql,
      (row): BookmarkRow | null => {
        const url = textOf(row.url);
        return url === null
          ? null
          : {
              bookmark_identifier: textOf(row.uuid) ?? url,
              title: textOf(row.title),
              url,
              folder: null,
              kind: 'tab',
              added_at: appleTime(row.viewed),
            };
      },
      tools,
    ))
      yield { table: 'bookmarks', rows };
  } finally {
    await db.close();
  }
}

async function* readGroupedTabs(db: SqliteDatabase, tools: ReadTools): AsyncGenerator<Batch> {
  try {
    const tab = await columnsOf(db, 'bookmarks', 't');
    if (!tab.exists || !tab.has('url')) return;
    tools.expect(await countOf(db, 'bookmarks'));
    const sql = `SELECT t.id AS id, ${tab.pick('uuid', 'external_uuid', 'server_id')}, ${tab.pick('title', 'title')},
        ${tab.pick('url', 'url')}, ${tab.pick('deleted', 'deleted')}, ${tab.pick('local', 'local_attributes')},
        ${tab.pick('extra', 'extra_attributes')},
        ${tab.has('parent') ? '(SELECT p.title FROM bookmarks AS p WHERE p.id = t.parent)' : 'NULL'} AS folder
      FROM bookmarks AS t
      WHERE t.url IS NOT NULL AND t.url <> '' ORDER BY t.id`;
    for await (const rows of rowsOf(
      db,
      sql,
      (row): BookmarkRow | null => {
        const url = textOf(row.url);
        if (url === null || intOf(row.deleted) === 1) return null;
        const viewed =
          dateOf(attributesOf(row.local).LastVisitTime) ??
          dateOf(attributesOf(row.extra).DateLastViewed) ??
          addedAt(row.extra);
        return {
          bookmark_identifier: textOf(row.uuid) ?? `tab-${intOf(row.id)}`,
          title: textOf(row.title),
          url,
          folder: textOf(row.folder),
          kind: 'tab',
          added_at: viewed,
        };
      },
      tools,
    ))
      yield { table: 'bookmarks', rows };
  } finally {
    await db.close();
  }
}
