import type { NoteAttachment, NoteRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { isInlineText, readGallery, readNoteBody, readNoteTable, type NoteBody } from './note-body.ts';
import { BATCH_ROWS, columnsOf, countOf, type ArtifactReader, type Columns, type FileRef } from './source.ts';
import { appleTime, bytesOf, flagOf, intOf, textOf } from './column-values.ts';

const DOMAIN = 'AppDomainGroup-group.com.apple.notes';
const TABLE = 'ZICCLOUDSYNCINGOBJECT';
/** A scan of several pages before iOS 17. */
const GALLERY = 'com.apple.notes.gallery';
/** Which of the numbered columns leads from a note to its account changes with the release: 7 since iOS 17, 4, 3 and 2 before. Those of other kinds of rows are empty in a note. */
const ACCOUNTS = [7, 4, 3, 2, 5, 6, 8, 1, ''].map((number) => `ZACCOUNT${number}`);
/** `ZFOLDERTYPE` of the folder with recently deleted notes. */
const TRASH = 1;

interface Part {
  id: number;
  note: number | null;
  parent: number | null;
  identifier: string;
  uti: string;
  title: string | null;
  url: string | null;
  media: number | null;
  recognised: string | null;
  row: SqliteRow;
}
interface Media {
  identifier: string;
  filename: string | null;
}

/** Notes since iOS 9, with their attachments. A locked note has a title and stays locked. */
export const notes: ArtifactReader = {
  name: 'notes',
  async *read(source, tools) {
    const db = await source.database(DOMAIN, 'NoteStore.sqlite');
    if (!db) return;
    try {
      const o = await columnsOf(db, TABLE, 'o');
      if (!o.exists) return;
      const data = await columnsOf(db, 'ZICNOTEDATA', 'd');
      tools.expect(data.exists ? await countOf(db, 'ZICNOTEDATA') : 0);
      const files = filesByFolder(await source.files(DOMAIN));
      const { named, trash } = await namesOf(db, o);
      const { byNote, byIdentifier, byParent, media, inline } = await partsOf(db, o);
      const { pagesOf, inGalleries } = await galleriesOf(byIdentifier, byParent);
      const sql = `SELECT o.Z_PK AS id, ${o.pick('identifier', 'ZIDENTIFIER')},
          ${o.pick('title', 'ZTITLE1', 'ZTITLE')}, ${o.pick('snippet', 'ZSNIPPET')}, ${o.pick('folder', 'ZFOLDER')},
          ${o.pick('account', ...ACCOUNTS)},
          coalesce(${o.expr('ZCREATIONDATE3')}, ${o.expr('ZCREATIONDATE1')}, ${o.expr('ZCREATIONDATE')}) AS created,
          coalesce(${o.expr('ZMODIFICATIONDATE1')}, ${o.expr('ZMODIFICATIONDATE')}) AS modified,
          ${o.pick('locked', 'ZISPASSWORDPROTECTED')}, ${o.pick('pinned', 'ZISPINNED')},
          ${o.pick('deleted', 'ZMARKEDFORDELETION')}, d.ZDATA AS data
        FROM ${TABLE} AS o
        JOIN ZICNOTEDATA AS d ON d.ZNOTE = o.Z_PK ORDER BY o.Z_PK`;
      for await (const batch of data.exists ? db.batches(sql, [], Math.min(BATCH_ROWS, 200)) : []) {
        const rows: NoteRow[] = [];
        for (const row of batch) {
          const id = intOf(row.id) ?? -1;
          const isLocked = flagOf(row.locked);
          const body = isLocked ? null : await bodyOf(bytesOf(row.data), inline);
          if (body === null && !isLocked) tools.skip();
          const made = async (part: Part | undefined): Promise<NoteAttachment[]> =>
            part ? attachmentsOf(part, pagesOf(part), media, files) : [];
          const placed: NoteAttachment[][] = [];
          for (const { identifier } of body?.attachments ?? []) placed.push(await made(byIdentifier.get(identifier)));
          // Attachments that the text does not name come last; the pages of a scan follow their scan.
          const inText = new Set(body?.attachments.map(({ identifier }) => identifier));
          const rest: NoteAttachment[] = [];
          for (const part of body ? (byNote.get(id) ?? []) : [])
            if (part.parent === null && !inText.has(part.identifier) && !inGalleries.has(part.identifier))
              rest.push(...(await made(part)));
          const folder = intOf(row.folder) ?? -1;
          const snippet = isLocked ? null : textOf(row.snippet);
          rows.push({
            note_identifier: textOf(row.identifier) ?? String(id),
            title: textOf(row.title),
            body: body ? placedIn(body, placed) : snippet,
            folder: named.get(folder) ?? null,
            created_at: appleTime(row.created),
            last_modified_at: appleTime(row.modified),
            is_locked: isLocked,
            is_pinned: flagOf(row.pinned),
            is_deleted: flagOf(row.deleted) || trash.has(folder),
            account: named.get(intOf(row.account) ?? -1) ?? null,
            attachments: [...placed.flat(), ...rest],
            checklist: body?.checklist ?? [],
          });
        }
        yield { table: 'notes', rows };
      }
    } finally {
      await db.close();
    }
  },
};

async function bodyOf(data: Uint8Array | null, inline: ReadonlyMap<string, string>): Promise<NoteBody | null> {
  if (!data) return { text: '', attachments: [], checklist: [] };
  try {
    return await readNoteBody(data, (identifier) => inline.get(identifier) ?? null);
  } catch {
    return null;
  }
}

/** Reads titles of folders and names of accounts by key, and the folders of recently deleted notes. */
async function namesOf(db: SqliteDatabase, o: Columns): Promise<{ named: Map<number, string>; trash: Set<number> }> {
  const rows = await db.query(
    `SELECT o.Z_PK AS id, coalesce(${o.expr('ZTITLE2')}, ${o.expr('ZNAME')}) AS name,
        ${o.pick('type', 'ZFOLDERTYPE')}
      FROM ${TABLE} AS o
      WHERE coalesce(${o.expr('ZTITLE2')}, ${o.expr('ZNAME')}) IS NOT NULL`,
  );
  return {
    named: new Map(rows.map((row) => [intOf(row.id) ?? -1, textOf(row.name) ?? ''])),
    trash: new Set(rows.filter((row) => intOf(row.type) === TRASH).map((row) => intOf(row.id) ?? -1)),
  };
}

async function partsOf(
  db: SqliteDatabase,
  o: Columns,
): Promise<{
  byNote: Map<number, Part[]>;
  byIdentifier: Map<string, Part>;
  byParent: Map<number, Part[]>;
  media: Map<number, Media>;
  inline: Map<string, string>;
}> {
  const byNote = new Map<number, Part[]>();
  const byIdentifier = new Map<string, Part>();
  const byParent = new Map<number, Part[]>();
  const media = new Map<number, Media>();
  const inline = new Map<string, string>();
  const sql = `SELECT o.Z_PK AS id, ${o.pick('note', 'ZNOTE')}, ${o.pick('note1', 'ZNOTE1')},
      ${o.pick('parent', 'ZPARENTATTACHMENT')}, ${o.pick('identifier', 'ZIDENTIFIER')},
      ${o.pick('uti', 'ZTYPEUTI')}, ${o.pick('uti1', 'ZTYPEUTI1')}, ${o.pick('title', 'ZTITLE')},
      ${o.pick('userTitle', 'ZUSERTITLE')}, ${o.pick('url', 'ZURLSTRING')}, ${o.pick('media', 'ZMEDIA')},
      ${o.pick('filename', 'ZFILENAME')}, ${o.pick('merge', 'ZMERGEABLEDATA1', 'ZMERGEABLEDATA')},
      ${o.pick('alt', 'ZALTTEXT', 'ZTOKENCONTENTIDENTIFIER')},
      ${o.pick('recognised', 'ZOCRSUMMARY', 'ZHANDWRITINGSUMMARY')}, ${o.pick('deleted', 'ZMARKEDFORDELETION')}
    FROM ${TABLE} AS o
    WHERE ${o.expr('ZTYPEUTI', 'ZTYPEUTI1')} IS NOT NULL OR ${o.expr('ZFILENAME')} IS NOT NULL`;
  for await (const rows of db.batches(sql, [], BATCH_ROWS)) {
    for (const row of rows) {
      const id = intOf(row.id) ?? -1;
      const identifier = textOf(row.identifier) ?? '';
      const uti = textOf(row.uti) ?? textOf(row.uti1);
      if (textOf(row.filename) !== null && uti === null) {
        media.set(id, { identifier, filename: textOf(row.filename) });
        continue;
      }
      if (isInlineText(uti)) inline.set(identifier, textOf(row.alt) ?? '');
      if (uti === null || isInlineText(uti) || flagOf(row.deleted)) continue;
      const part: Part = {
        id,
        identifier,
        uti,
        note: intOf(row.note) ?? intOf(row.note1),
        parent: intOf(row.parent),
        title: textOf(row.userTitle) ?? textOf(row.title),
        url: textOf(row.url),
        media: intOf(row.media),
        recognised: textOf(row.recognised),
        row,
      };
      byIdentifier.set(identifier, part);
      if (part.parent !== null) byParent.set(part.parent, [...(byParent.get(part.parent) ?? []), part]);
      if (part.note !== null) byNote.set(part.note, [...(byNote.get(part.note) ?? []), part]);
    }
  }
  return { byNote, byIdentifier, byParent, media, inline };
}

type Found = { path: string; file: FileRef };

/** Files by each folder of their path, so that the folder of an attachment finds them at whatever depth this release keeps it. */
function filesByFolder(files: ReadonlyMap<string, FileRef>): Map<string, Found[]> {
  const folders = new Map<string, Found[]>();
  for (const [path, file] of files) {
    // A drawing of iOS 12 is a file named for its attachment: its name counts as a folder.
    for (const part of new Set(
      path.split('/').map((name, i, all) => (i === all.length - 1 ? name.replace(/\.[^.]*$/, '') : name)),
    )) {
      const list = folders.get(part);
      if (list) list.push({ path, file });
      else folders.set(part, [{ path, file }]);
    }
  }
  return folders;
}

function kindOf(uti: string, filename: string | null): NoteAttachment['kind'] {
  const name = filename?.toLowerCase() ?? '';
  if (uti === 'com.apple.notes.table') return 'table';
  if (uti === 'com.apple.paper.doc.pdf') return 'pdf';
  if (uti === GALLERY || uti.startsWith('com.apple.paper.doc.')) return 'scan';
  if (uti.startsWith('com.apple.drawing') || uti === 'com.apple.paper') return 'drawing';
  if (uti === 'public.url') return 'link';
  if (uti === 'com.adobe.pdf' || name.endsWith('.pdf')) return 'pdf';
  if (/image|jpeg|png|heic|heif|tiff|gif|webp/.test(uti) || /\.(jpe?g|png|heic|heif|tiff?|gif|webp)$/.test(name))
    return 'image';
  if (/audio|mp3|m4a/.test(uti)) return 'audio';
  if (/movie|video|mpeg-4$/.test(uti)) return 'video';
  return 'file';
}

/** One of ours for each; a scan of several pages gives one for each page, in their order. */
async function attachmentsOf(
  part: Part,
  children: readonly Part[],
  media: Map<number, Media>,
  files: Map<string, Found[]>,
): Promise<NoteAttachment[]> {
  const kind = kindOf(part.uti, null);
  const made = (found: Found | null, as = kind): NoteAttachment => ({
    kind: as,
    title: part.title,
    file_id: found?.file.file_id ?? null,
    relative_path: found?.path ?? null,
    uti: part.uti,
    rows: null,
    url: part.url,
    recognised_text: part.recognised,
  });
  if (kind === 'table') return [{ ...made(null), rows: await tableOf(bytesOf(part.row.merge)) }];
  if (kind === 'link') return [made(null)];
  if (kind === 'scan' || part.uti === 'com.apple.paper.doc.pdf') {
    const pdf = (files.get(part.identifier) ?? []).find(({ path }) => /FallbackPDF/i.test(path));
    if (pdf) return [made(pdf)];
    const pages = children
      .map((child) => ({ found: mediaFile(child, media, files), recognised: child.recognised }))
      .filter(({ found }) => found !== null);
    const own = mediaFile(part, media, files);
    return pages.length > 0
      ? pages.map(({ found, recognised }) => ({ ...made(found), recognised_text: recognised ?? part.recognised }))
      : [made(own)];
  }
  if (kind === 'drawing')
    return [
      made(
        (files.get(part.identifier) ?? []).find(({ path }) => /FallbackImage/i.test(path)) ??
          files.get(part.identifier)?.[0] ??
          null,
      ),
    ];
  const found = mediaFile(part, media, files);
  return [made(found, kindOf(part.uti, found?.path ?? null))];
}

const mediaFile = (part: Part, media: Map<number, Media>, files: Map<string, Found[]>): Found | null => {
  const item = media.get(part.media ?? -1);
  if (!item) return null;
  const here = files.get(item.identifier) ?? [];
  return here.find(({ path }) => path.split('/').at(-1) === item.filename) ?? here[0] ?? null;
};

/** Reads the pages of scans in order: first as the scan lists them, then other rows that have it as their parent. */
async function galleriesOf(
  byIdentifier: ReadonlyMap<string, Part>,
  byParent: ReadonlyMap<number, Part[]>,
): Promise<{ pagesOf: (part: Part) => Part[]; inGalleries: Set<string> }> {
  const pages = new Map<Part, Part[]>();
  const inGalleries = new Set<string>();
  for (const part of byIdentifier.values()) {
    if (part.uti !== GALLERY) continue;
    const merge = bytesOf(part.row.merge);
    const listed = (merge ? await readGallery(merge).catch(() => []) : [])
      .map((identifier) => byIdentifier.get(identifier))
      .filter((page) => page !== undefined);
    const all = [...new Set([...listed, ...(byParent.get(part.id) ?? [])])];
    for (const { identifier } of all) inGalleries.add(identifier);
    pages.set(part, all);
  }
  return { inGalleries, pagesOf: (part) => pages.get(part) ?? byParent.get(part.id) ?? [] };
}

/** Puts one U+FFFC per attachment at each position: a scan has one for each page, a deleted attachment none. */
function placedIn({ text, attachments }: NoteBody, placed: readonly NoteAttachment[][]): string {
  const parts = text.split('\uFFFC');
  if (parts.length !== attachments.length + 1) return text;
  return parts.map((part, index) => part + '\uFFFC'.repeat(placed[index]?.length ?? 0)).join('');
}

async function tableOf(data: Uint8Array | null): Promise<string[][] | null> {
  if (!data) return null;
  try {
    return await readNoteTable(data);
  } catch {
    return null;
  }
}
