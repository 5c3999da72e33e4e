import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { photos } from '../../../src-shared/ios-backup/artifacts/photos.ts';
import { safari } from '../../../src-shared/ios-backup/artifacts/safari.ts';
import { readWith, schemaDatabase } from '../../fixtures/ios-backup/artifacts/one-reader.ts';
import { apple } from '../../fixtures/ios-backup/artifacts/tables.ts';
import { binaryPlist } from '../../fixtures/ios-backup/plist-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Safari schemas of iOS 18', () => {
  const BOOKMARKS = `CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, special_id INTEGER DEFAULT 0, parent INTEGER,
    type INTEGER, subtype INTEGER DEFAULT 0, title TEXT, url TEXT COLLATE NOCASE, num_children INTEGER DEFAULT 0,
    hidden INTEGER DEFAULT 0, order_index INTEGER DEFAULT 0, external_uuid TEXT UNIQUE, read INTEGER DEFAULT NULL,
    last_modified REAL DEFAULT NULL,
    server_id TEXT, deleted INTEGER DEFAULT 0, extra_attributes BLOB DEFAULT NULL,
      local_attributes BLOB DEFAULT NULL, date_closed REAL)`;
  const HISTORY =
    'CREATE TABLE history_items (id INTEGER PRIMARY KEY, url TEXT, visit_count INTEGER); CREATE ' +
    'TABLE history_visits (id INTEGER PRIMARY KEY, history_item INTEGER, visit_time REAL, title ' +
    'TEXT, origin INTEGER)';
  const bookmarks = schemaDatabase(BOOKMARKS, {
    bookmarks: [
      { id: 0, type: 1, title: 'Root' },
      { id: 1, special_id: 1, parent: 0, type: 1, title: 'BookmarksBar' },
      {
        id: 2,
        parent: 1,
        type: 0,
        title: 'Praxis',
        url: 'https://praxis.example',
        external_uuid: 'B',
        last_modified: Date.parse('2021-04-05T06:07:08Z') / 1000,
      },
      {
        id: 3,
        parent: 0,
        type: 0,
        title: 'Lesen',
        url: 'https://lesen.example',
        external_uuid: 'R',
        read: 0,
        extra_attributes: binaryPlist({
          'com.apple.ReadingList': { DateAdded: new Date('2020-02-03T04:05:06Z'), PreviewText: 'x' },
        }),
      },
    ],
  });

  it('reads bookmarks dated since 1970, tabs of groups, and the history of each profile', async () => {
    const found = await readWith(
      [safari],
      {
        'HomeDomain/Library/Safari/Bookmarks.db': bookmarks,
        'HomeDomain/Library/Safari/SafariTabs.db': schemaDatabase(BOOKMARKS, {
          bookmarks: [
            { id: 1, parent: 0, type: 1, title: 'Ärzte' },
            {
              id: 2,
              parent: 1,
              type: 0,
              title: 'Labor',
              url: 'https://labor.example',
              external_uuid: 'T',
              local_attributes: binaryPlist({ LastVisitTime: new Date('2026-02-28T00:04:46Z'), TabIndex: 3 }),
            },
          ],
        }),
        'HomeDomain/Library/Safari/BrowserState.db': schemaDatabase(
          'CREATE TABLE tabs (id INTEGER PRIMARY KEY, uuid TEXT, title TEXT, url TEXT, last_viewed_time REAL)',
          { tabs: [{ id: 1, uuid: 'old', title: 'alt', url: 'https://alt.example' }] },
        ),
        'HomeDomain/Library/Safari/History.db': schemaDatabase(HISTORY, {
          history_items: [{ id: 1, url: 'https://a.example', visit_count: 1 }],
          history_visits: [{ id: 1, history_item: 1, visit_time: apple('2026-01-01T00:00:00'), title: 'A' }],
        }),
        'AppDomain-com.apple.mobilesafari/Library/Safari/Profiles/8E/History.db': schemaDatabase(HISTORY, {
          history_items: [{ id: 1, url: 'https://b.example', visit_count: 4 }],
          history_visits: [{ id: 1, history_item: 1, visit_time: apple('2026-01-02T00:00:00'), title: 'B' }],
        }),
      },
      folder,
    );
    expect(found.bookmarks.map(({ title, kind, folder: of, added_at }) => [title, kind, of, added_at])).toEqual([
      ['Praxis', 'bookmark', 'BookmarksBar', '2021-04-05T06:07:08'],
      ['Lesen', 'reading_list', 'Root', '2020-02-03T04:05:06'],
      ['Labor', 'tab', 'Ärzte', '2026-02-28T00:04:46'],
    ]);
    expect(found.visits.map(({ url: address, visited_at }) => [address, visited_at])).toEqual([
      ['https://a.example', '2026-01-01T00:00:00'],
      ['https://b.example', '2026-01-02T00:00:00'],
    ]);
  });
});

describe('the schemas of the photo library', () => {
  it.each([
    [12, 'ZGENERICASSET', 'Z_23ASSETS', 'Z_23ALBUMS', 'Z_30ASSETS'],
    [13, 'ZGENERICASSET', 'Z_26ASSETS', 'Z_26ALBUMS', 'Z_34ASSETS'],
    [18, 'ZASSET', 'Z_30ASSETS', 'Z_30ALBUMS', 'Z_3ASSETS'],
    [26, 'ZASSET', 'Z_33ASSETS', 'Z_33ALBUMS', 'Z_3ASSETS'],
  ])('reads iOS %i: %s joined by %s', async (release, table, join, albums, assets) => {
    const schema = `CREATE TABLE ${table} (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZKINDSUBTYPE INTEGER,
      ZHIDDEN INTEGER, ZFAVORITE INTEGER, ZTRASHEDSTATE INTEGER, ZADDITIONALATTRIBUTES INTEGER,
      ZDATECREATED TIMESTAMP, ZDIRECTORY VARCHAR, ZFILENAME VARCHAR,
      ZUUID VARCHAR ${release > 14 ? ', ZISDETECTEDSCREENSHOT INTEGER' : ''});
      CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZTITLE VARCHAR, ZUUID VARCHAR,
        ZTRASHEDSTATE INTEGER); CREATE TABLE "${join}" ("${albums}" INTEGER, "${assets}" INTEGER,
        "Z_FOK_${assets.slice(2)}" INTEGER); CREATE TABLE Z_3MEMORIESBEINGKEYASSETS (Z_3KEYASSETS INTEGER,
        Z_44MEMORIES INTEGER);
      CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER, ZORIGINALFILENAME VARCHAR,
        ZTIMEZONEOFFSET INTEGER, ZORIGINALFILESIZE INTEGER);`;
    const path = 'CameraRollDomain/Media/PhotoData/CPLAssets/group1/U.JPG';
    const found = await readWith(
      [photos],
      {
        [path]: 'x',
        'CameraRollDomain/Media/PhotoData/Photos.sqlite': schemaDatabase(schema, {
          [table]: [
            {
              Z_PK: 1,
              ZKIND: 0,
              ZDIRECTORY: 'PhotoData/CPLAssets/group1',
              ZFILENAME: 'U.JPG',
              ZUUID: 'A',
              ZTRASHEDSTATE: 1,
              ZDATECREATED: apple('2020-01-01T00:00:00'),
              ...(release > 14 ? { ZISDETECTEDSCREENSHOT: 1 } : { ZKINDSUBTYPE: 10 }),
            },
          ],
          ZGENERICALBUM: [
            { Z_PK: 7, ZKIND: 2, ZTITLE: 'Befunde', ZUUID: 'L' },
            { Z_PK: 8, ZKIND: 3571, ZTITLE: 'progress-sync' },
          ],
          [join]: [
            { [albums]: 7, [assets]: 1 },
            { [albums]: 8, [assets]: 1 },
          ],
          ZADDITIONALASSETATTRIBUTES: [{ Z_PK: 1, ZASSET: 1, ZORIGINALFILENAME: 'IMG_1.JPG', ZTIMEZONEOFFSET: 7200 }],
        }),
      },
      folder,
    );
    expect(found.photos[0]).toMatchObject({
      file_id: path,
      original_filename: 'IMG_1.JPG',
      timezone_offset_minutes: 120,
      metadata: { albums: ['Befunde'], is_screenshot: true, is_trashed: true, trashed_at: null },
    });
    expect(found.albums).toEqual([{ album_id: 'L', title: 'Befunde', kind: 'album', photo_count: 1 }]);
  });
});
