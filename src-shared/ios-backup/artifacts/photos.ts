import type { AlbumRow, PhotoRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { columnsOf, countOf, rowsOf, type ArtifactReader, type Columns, type FileRef } from './source.ts';
import { appleTime, flagOf, intOf, numberOf, textOf } from './column-values.ts';

const DOMAIN = 'CameraRollDomain';
/** Values of ZKINDSUBTYPE, according to iLEAPP and Scott Koenig's queries for the photo library. */
const LIVE = 2,
  SCREENSHOT = 10;
/** Values of ZGENERICALBUM.ZKIND; others are views of the whole library. */
const ALBUM_KINDS: Record<number, AlbumRow['kind']> = {
  2: 'album',
  1505: 'shared',
  1506: 'shared',
  1507: 'smart',
  1509: 'imported',
  4000: 'folder',
};
/** The coordinate of a photo without a location. */
const NO_COORDINATE = -180;
const EDITED_FILENAMES = [
  'FullSizeRender.heic',
  'FullSizeRender.jpg',
  'FullSizeRender.HEIC',
  'FullSizeRender.JPG',
  'FullSizeRender.mov',
  'FullSizeRender.MOV',
  'FullSizeRender.png',
];

/** The photo library: ZASSET, or ZGENERICASSET before iOS 14. */
export const photos: ArtifactReader = {
  name: 'photos',
  async *read(source, tools) {
    const db = await source.database(DOMAIN, 'Media/PhotoData/Photos.sqlite');
    if (!db) return;
    try {
      const table = (await columnsOf(db, 'ZASSET', 'a')).exists ? 'ZASSET' : 'ZGENERICASSET';
      const a = await columnsOf(db, table, 'a');
      if (!a.exists) return;
      tools.expect(await countOf(db, table));
      const attributes = await columnsOf(db, 'ZADDITIONALASSETATTRIBUTES', 'x');
      const albums = await readAlbums(db);
      const files = await source.files(DOMAIN);
      const sql = selectPhotos(table, a, attributes);
      for await (const rows of rowsOf(
        db,
        sql,
        (row) => photoOf(row, files, albums.titlesOf(intOf(row.id) ?? -1)),
        tools,
      ))
        yield { table: 'photos', rows };
      yield { table: 'albums', rows: albums.rows };
    } finally {
      await db.close();
    }
  },
};

function selectPhotos(table: string, a: Columns, attributes: Columns): string {
  const hasAttributes = attributes.exists && attributes.has('ZASSET');
  const attribute = (as: string, name: string): string => (hasAttributes ? attributes.pick(as, name) : `NULL AS ${as}`);
  return `SELECT a.Z_PK AS id, ${a.pick('uuid', 'ZUUID')}, ${a.pick('directory', 'ZDIRECTORY')},
      ${a.pick('filename', 'ZFILENAME')}, ${a.pick('created', 'ZDATECREATED')}, ${a.pick('added', 'ZADDEDDATE')},
      ${a.pick('width', 'ZWIDTH')}, ${a.pick('height', 'ZHEIGHT')}, ${a.pick('kind', 'ZKIND')},
      ${a.pick('subtype', 'ZKINDSUBTYPE')}, ${a.pick('uti', 'ZUNIFORMTYPEIDENTIFIER')},
      ${a.pick('duration', 'ZDURATION')}, ${a.pick('latitude', 'ZLATITUDE')}, ${a.pick('longitude', 'ZLONGITUDE')},
      ${a.pick('favourite', 'ZFAVORITE')}, ${a.pick('hidden', 'ZHIDDEN')}, ${a.pick('trashed', 'ZTRASHEDSTATE')},
      ${a.pick('trashedAt', 'ZTRASHEDDATE')}, ${a.pick('adjusted', 'ZHASADJUSTMENTS')},
      ${a.pick('burst', 'ZAVALANCHEUUID')}, ${a.pick('screenshot', 'ZISDETECTEDSCREENSHOT')},
      ${attribute('original', 'ZORIGINALFILENAME')}, ${attribute('offset', 'ZTIMEZONEOFFSET')},
      ${attribute('size', 'ZORIGINALFILESIZE')}
    FROM ${table} AS a
    ${hasAttributes ? 'LEFT JOIN ZADDITIONALASSETATTRIBUTES AS x ON x.ZASSET = a.Z_PK' : ''}
    ORDER BY a.Z_PK`;
}

function photoOf(row: SqliteRow, files: ReadonlyMap<string, FileRef>, albums: string[]): PhotoRow | null {
  const directory = textOf(row.directory);
  const filename = textOf(row.filename);
  const path = filename === null ? null : ['Media', directory, filename].filter(Boolean).join('/');
  const file = path === null ? undefined : files.get(path);
  const stem = path?.replace(/\.[^./]*$/, '') ?? '';
  const edit = findEditedVersion(directory, filename, files);
  const subtype = intOf(row.subtype);
  const kind = intOf(row.kind);
  const livePath =
    kind === 1
      ? undefined
      : [`${stem}.MOV`, `${stem}.mov`].find((candidate) => candidate !== path && files.has(candidate));
  const latitude = numberOf(row.latitude);
  const longitude = numberOf(row.longitude);
  const hasPlace =
    latitude !== null &&
    longitude !== null &&
    latitude !== NO_COORDINATE &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180;
  const offset = intOf(row.offset);
  return {
    asset_id: textOf(row.uuid) ?? String(intOf(row.id)),
    original_filename: textOf(row.original) ?? filename,
    relative_path: path,
    file_id: file?.file_id ?? null,
    taken_at: appleTime(row.created),
    timezone_offset_minutes: offset === null || Math.abs(offset) > 18 * 3600 ? null : Math.round(offset / 60),
    width: intOf(row.width),
    height: intOf(row.height),
    media_type: (['photo', 'video', 'audio'] as const)[kind ?? -1] ?? 'other',
    metadata: {
      uti: textOf(row.uti),
      duration_seconds: numberOf(row.duration),
      latitude: hasPlace ? latitude : null,
      longitude: hasPlace ? longitude : null,
      is_favourite: flagOf(row.favourite),
      is_hidden: flagOf(row.hidden),
      is_trashed: flagOf(row.trashed),
      trashed_at: flagOf(row.trashed) ? appleTime(row.trashedAt) : null,
      is_screenshot: subtype === SCREENSHOT || flagOf(row.screenshot),
      is_edited: flagOf(row.adjusted) || edit !== null,
      edited_file_id: edit?.file.file_id ?? null,
      edited_relative_path: edit?.path ?? null,
      is_live: subtype === LIVE || livePath !== undefined,
      live_video_file_id: livePath === undefined ? null : (files.get(livePath)?.file_id ?? null),
      live_video_relative_path: livePath ?? null,
      burst_id: textOf(row.burst),
      albums,
      added_at: appleTime(row.added),
      size_bytes: intOf(row.size) ?? file?.size ?? null,
    },
  };
}

/**
 * Finds the edited version of a photo:
 * `Media/PhotoData/Mutations/DCIM/100APPLE/IMG_0001/Adjustments/FullSizeRender.heic`.
 */
function findEditedVersion(
  directory: string | null,
  filename: string | null,
  files: ReadonlyMap<string, FileRef>,
): { path: string; file: FileRef } | null {
  if (directory === null || filename === null) return null;
  const folder = `Media/PhotoData/Mutations/${directory}/${filename.replace(/\.[^.]*$/, '')}/Adjustments`;
  for (const name of EDITED_FILENAMES) {
    const path = `${folder}/${name}`;
    const file = files.get(path);
    if (file) return { path, file };
  }
  return null;
}

/**
 * Reads albums and their assets. The table that joins them is named after entity numbers, which differ by release:
 * `Z_26ASSETS` with `Z_26ALBUMS` and `Z_3ASSETS`.
 */
async function readAlbums(db: SqliteDatabase): Promise<{ rows: AlbumRow[]; titlesOf(asset: number): string[] }> {
  const album = await columnsOf(db, 'ZGENERICALBUM', 'g');
  if (!album.exists) return { rows: [], titlesOf: () => [] };
  const titles = new Map<number, string>();
  const rows = new Map<number, AlbumRow>();
  const sql = `SELECT g.Z_PK AS id, ${album.pick('uuid', 'ZUUID')}, ${album.pick('title', 'ZTITLE')},
      ${album.pick('kind', 'ZKIND')}, ${album.pick('trashed', 'ZTRASHEDSTATE')}
    FROM ZGENERICALBUM AS g`;
  for (const row of await db.query(sql)) {
    const kind = ALBUM_KINDS[intOf(row.kind) ?? -1];
    const title = textOf(row.title);
    const id = intOf(row.id) ?? -1;
    if (kind === undefined || flagOf(row.trashed)) continue;
    rows.set(id, { album_id: textOf(row.uuid) ?? String(id), title, kind, photo_count: 0 });
    if (title !== null) titles.set(id, title);
  }
  const byAsset = new Map<number, string[]>();
  for (const { name } of await db.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*ASSETS'",
  )) {
    const table = textOf(name) ?? '';
    const columns = await db.columns(table);
    const albumColumn = columns.find((column) => /^Z_\d+ALBUMS\d*$/.test(column));
    const assetColumn = columns.find((column) => /^Z_\d+ASSETS\d*$/.test(column));
    if (albumColumn === undefined || assetColumn === undefined) continue;
    for await (const batch of db.batches(
      `SELECT "${albumColumn}" AS album, "${assetColumn}" AS asset FROM "${table}"`,
    )) {
      for (const row of batch) {
        const id = intOf(row.album) ?? -1;
        const albumRow = rows.get(id);
        if (!albumRow) continue;
        albumRow.photo_count += 1;
        const title = titles.get(id);
        const asset = intOf(row.asset) ?? -1;
        if (title !== undefined) byAsset.set(asset, [...(byAsset.get(asset) ?? []), title]);
      }
    }
  }
  return { rows: [...rows.values()], titlesOf: (asset) => byAsset.get(asset) ?? [] };
}
