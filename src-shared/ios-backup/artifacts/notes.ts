import type { NoteAttachment, NoteRow } from '../../contract/phone-backups/artifacts.ts';
import type { SqliteDatabase, SqliteRow } from '../ports.ts';
import { isInlineText, readGallery, readNoteBody, readNoteTable, type NoteBody } from './note-body.ts';
import {
  BATCH_ROWS,
  columnsOf,
  countOf,
  type ArtifactReader,
  type Columns,
  type FileRef,
  type ReadTools,
} from './source.ts';
import { appleTime, bytesOf, flagOf, intOf, textOf } from './column-values.ts';

const DOMAIN = 'AppDomainGroup-group.com.apple.notes';
const TABLE = 'ZICCLOUDSYNCINGOBJECT';
/** A scan of several pages before iOS 17. */
const GALLERY = 'com.apple.notes.gallery';
/**
 * The column that refers from a note to its account changes with the release: number 7 since iOS 17, 4, 3 and 2 before.
 * The columns that other kinds of rows use are NULL in a note.
 */
const ACCOUNT_COLUMNS = [7, 4, 3, 2, 5, 6, 8, 1, ''].map((number) => `ZACCOUNT${number}`);
/** `ZFOLDERTYPE` of the folder with recently deleted notes. */
const TRASH_TYPE = 1;

/** An attachment of a note, or a page of a scan. */
interface Part {
  id: number;
  note: number | null;
  parent: number | null;
  identifier: string;
  uti: string;
  title: string | null;
  url: string | null;
  media: number | null;
  recognizedText: string | null;
  row: SqliteRow;
}
interface Media {
  identifier: string;
  filename: string | null;
}

/** The data that the notes of a database refer to. */
interface NoteContext {
  names: ReadonlyMap<number, string>;
  trashFolders: ReadonlySet<number>;
  parts: Parts;
  galleries: Galleries;
  files: ReadonlyMap<string, LocatedFile[]>;
}

/** Notes since iOS 9, with their attachments. Of a locked note, only the title is readable. */
export const notes: ArtifactReader = {
  name: 'notes',
  async *read(source, tools) {
    const db = await source.database(DOMAIN, 'NoteStore.sqlite');
    if (!db) return;
    try {
      const o = await columnsOf(db, TABLE, 'o');
      if (!o.exists) return;
      const hasData = (await columnsOf(db, 'ZICNOTEDATA', 'd')).exists;
      tools.expect(hasData ? await countOf(db, 'ZICNOTEDATA') : 0);
      const parts = await readParts(db, o);
      const context: NoteContext = {
        ...(await readNames(db, o)),
        parts,
        galleries: await readGalleries(parts),
        files: filesByFolder(await source.files(DOMAIN)),
      };
      for await (const batch of hasData ? db.batches(selectNotes(o), [], Math.min(BATCH_ROWS, 200)) : []) {
        const rows: NoteRow[] = [];
        for (const row of batch) rows.push(await noteOf(row, context, tools));
        yield { table: 'notes', rows };
      }
    } finally {
      await db.close();
    }
  },
};

function selectNotes(o: Columns): string {
  const created = ['ZCREATIONDATE3', 'ZCREATIONDATE1', 'ZCREATIONDATE'].map((name) => o.expr(name)).join(', ');
  return `SELECT o.Z_PK AS id, ${o.pick('identifier', 'ZIDENTIFIER')},
      ${o.pick('title', 'ZTITLE1', 'ZTITLE')}, ${o.pick('snippet', 'ZSNIPPET')}, ${o.pick('folder', 'ZFOLDER')},
      ${o.pick('account', ...ACCOUNT_COLUMNS)}, coalesce(${created}) AS created,
      coalesce(${o.expr('ZMODIFICATIONDATE1')}, ${o.expr('ZMODIFICATIONDATE')}) AS modified,
      ${o.pick('locked', 'ZISPASSWORDPROTECTED')}, ${o.pick('pinned', 'ZISPINNED')},
      ${o.pick('deleted', 'ZMARKEDFORDELETION')}, d.ZDATA AS data
    FROM ${TABLE} AS o
    JOIN ZICNOTEDATA AS d ON d.ZNOTE = o.Z_PK
    ORDER BY o.Z_PK`;
}

async function noteOf(row: SqliteRow, context: NoteContext, tools: ReadTools): Promise<NoteRow> {
  const { names, trashFolders, parts } = context;
  const id = intOf(row.id) ?? -1;
  const isLocked = flagOf(row.locked);
  const body = isLocked ? null : await bodyOf(bytesOf(row.data), parts.inlineTexts);
  if (body === null && !isLocked) tools.skip();
  const { inText, others } = await attachmentsOfNote(id, body, context);
  const folder = intOf(row.folder) ?? -1;
  const snippet = isLocked ? null : textOf(row.snippet);
  return {
    note_identifier: textOf(row.identifier) ?? String(id),
    title: textOf(row.title),
    body: body ? markAttachments(body, inText) : snippet,
    folder: names.get(folder) ?? null,
    created_at: appleTime(row.created),
    last_modified_at: appleTime(row.modified),
    is_locked: isLocked,
    is_pinned: flagOf(row.pinned),
    is_deleted: flagOf(row.deleted) || trashFolders.has(folder),
    account: names.get(intOf(row.account) ?? -1) ?? null,
    attachments: [...inText.flat(), ...others],
    checklist: body?.checklist ?? [],
  };
}

/** The attachments of a note: one list for each position in the text, and those that the text does not contain. */
async function attachmentsOfNote(
  id: number,
  body: NoteBody | null,
  context: NoteContext,
): Promise<{ inText: NoteAttachment[][]; others: NoteAttachment[] }> {
  const { parts, galleries } = context;
  const inText: NoteAttachment[][] = [];
  for (const { identifier } of body?.attachments ?? []) {
    const part = parts.byIdentifier.get(identifier);
    inText.push(part ? await attachmentsOfPart(part, context) : []);
  }
  const identifiers = new Set(body?.attachments.map(({ identifier }) => identifier));
  const others: NoteAttachment[] = [];
  for (const part of body ? (parts.byNote.get(id) ?? []) : [])
    if (part.parent === null && !identifiers.has(part.identifier) && !galleries.pageIdentifiers.has(part.identifier))
      others.push(...(await attachmentsOfPart(part, context)));
  return { inText, others };
}

async function bodyOf(data: Uint8Array | null, inlineTexts: ReadonlyMap<string, string>): Promise<NoteBody | null> {
  if (!data) return { text: '', attachments: [], checklist: [] };
  try {
    return await readNoteBody(data, (identifier) => inlineTexts.get(identifier) ?? null);
  } catch {
    return null;
  }
}

/** Reads titles of folders and names of accounts by key, and the folders of recently deleted notes. */
async function readNames(db: SqliteDatabase, o: Columns): Promise<Pick<NoteContext, 'names' | 'trashFolders'>> {
  const rows = await db.query(
    `SELECT o.Z_PK AS id, coalesce(${o.expr('ZTITLE2')}, ${o.expr('ZNAME')}) AS name,
        ${o.pick('type', 'ZFOLDERTYPE')}
      FROM ${TABLE} AS o
      WHERE coalesce(${o.expr('ZTITLE2')}, ${o.expr('ZNAME')}) IS NOT NULL`,
  );
  return {
    names: new Map(rows.map((row) => [intOf(row.id) ?? -1, textOf(row.name) ?? ''])),
    trashFolders: new Set(rows.filter((row) => intOf(row.type) === TRASH_TYPE).map((row) => intOf(row.id) ?? -1)),
  };
}

interface Parts {
  byNote: Map<number, Part[]>;
  byIdentifier: Map<string, Part>;
  byParent: Map<number, Part[]>;
  media: Map<number, Media>;
  /** Texts of tags and mentions by identifier. */
  inlineTexts: Map<string, string>;
}

const selectParts = (o: Columns): string =>
  `SELECT o.Z_PK AS id, ${o.pick('note', 'ZNOTE')}, ${o.pick('note1', 'ZNOTE1')},
      ${o.pick('parent', 'ZPARENTATTACHMENT')}, ${o.pick('identifier', 'ZIDENTIFIER')},
      ${o.pick('uti', 'ZTYPEUTI')}, ${o.pick('uti1', 'ZTYPEUTI1')}, ${o.pick('title', 'ZTITLE')},
      ${o.pick('userTitle', 'ZUSERTITLE')}, ${o.pick('url', 'ZURLSTRING')}, ${o.pick('media', 'ZMEDIA')},
      ${o.pick('filename', 'ZFILENAME')}, ${o.pick('merge', 'ZMERGEABLEDATA1', 'ZMERGEABLEDATA')},
      ${o.pick('alt', 'ZALTTEXT', 'ZTOKENCONTENTIDENTIFIER')},
      ${o.pick('recognised', 'ZOCRSUMMARY', 'ZHANDWRITINGSUMMARY')}, ${o.pick('deleted', 'ZMARKEDFORDELETION')}
    FROM ${TABLE} AS o
    WHERE ${o.expr('ZTYPEUTI', 'ZTYPEUTI1')} IS NOT NULL OR ${o.expr('ZFILENAME')} IS NOT NULL`;

/** Reads attachments, their media files, and the texts of tags and mentions. */
async function readParts(db: SqliteDatabase, o: Columns): Promise<Parts> {
  const parts: Parts = {
    byNote: new Map(),
    byIdentifier: new Map(),
    byParent: new Map(),
    media: new Map(),
    inlineTexts: new Map(),
  };
  for await (const rows of db.batches(selectParts(o), [], BATCH_ROWS)) for (const row of rows) addPart(parts, row);
  return parts;
}

function addPart({ byNote, byIdentifier, byParent, media, inlineTexts }: Parts, row: SqliteRow): void {
  const id = intOf(row.id) ?? -1;
  const identifier = textOf(row.identifier) ?? '';
  const uti = textOf(row.uti) ?? textOf(row.uti1);
  if (textOf(row.filename) !== null && uti === null) {
    media.set(id, { identifier, filename: textOf(row.filename) });
    return;
  }
  if (isInlineText(uti)) inlineTexts.set(identifier, textOf(row.alt) ?? '');
  if (uti === null || isInlineText(uti) || flagOf(row.deleted)) return;
  const part: Part = {
    id,
    identifier,
    uti,
    note: intOf(row.note) ?? intOf(row.note1),
    parent: intOf(row.parent),
    title: textOf(row.userTitle) ?? textOf(row.title),
    url: textOf(row.url),
    media: intOf(row.media),
    recognizedText: textOf(row.recognised),
    row,
  };
  byIdentifier.set(identifier, part);
  if (part.parent !== null) byParent.set(part.parent, [...(byParent.get(part.parent) ?? []), part]);
  if (part.note !== null) byNote.set(part.note, [...(byNote.get(part.note) ?? []), part]);
}

type LocatedFile = { path: string; file: FileRef };

/** Groups files by each folder of their path, because the depth of an attachment's folder differs by release. */
function filesByFolder(files: ReadonlyMap<string, FileRef>): Map<string, LocatedFile[]> {
  const folders = new Map<string, LocatedFile[]>();
  for (const [path, file] of files) {
    // A drawing of iOS 12 is a file named after its attachment: its name counts as a folder.
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

/** Converts an attachment; a scan of several pages becomes one attachment per page, in order. */
async function attachmentsOfPart(
  part: Part,
  { parts, galleries, files }: Pick<NoteContext, 'parts' | 'galleries' | 'files'>,
): Promise<NoteAttachment[]> {
  const kind = kindOf(part.uti, null);
  const ownFiles = files.get(part.identifier) ?? [];
  const attachmentWith = (located: LocatedFile | null, as = kind): NoteAttachment => ({
    kind: as,
    title: part.title,
    file_id: located?.file.file_id ?? null,
    relative_path: located?.path ?? null,
    uti: part.uti,
    rows: null,
    url: part.url,
    recognised_text: part.recognizedText,
  });
  if (kind === 'table') return [{ ...attachmentWith(null), rows: await tableOf(bytesOf(part.row.merge)) }];
  if (kind === 'link') return [attachmentWith(null)];
  if (kind === 'drawing') {
    const image = ownFiles.find(({ path }) => /FallbackImage/i.test(path));
    return [attachmentWith(image ?? ownFiles[0] ?? null)];
  }
  const media = mediaFile(part, parts.media, files);
  if (kind !== 'scan' && part.uti !== 'com.apple.paper.doc.pdf')
    return [attachmentWith(media, kindOf(part.uti, media?.path ?? null))];
  const pdf = ownFiles.find(({ path }) => /FallbackPDF/i.test(path));
  if (pdf) return [attachmentWith(pdf)];
  const pages = galleries
    .pagesOf(part)
    .map((page) => ({ file: mediaFile(page, parts.media, files), recognizedText: page.recognizedText }))
    .filter(({ file }) => file !== null);
  if (pages.length === 0) return [attachmentWith(media)];
  return pages.map(({ file, recognizedText }) => ({
    ...attachmentWith(file),
    recognised_text: recognizedText ?? part.recognizedText,
  }));
}

function mediaFile(
  part: Part,
  media: ReadonlyMap<number, Media>,
  files: ReadonlyMap<string, LocatedFile[]>,
): LocatedFile | null {
  const item = media.get(part.media ?? -1);
  if (!item) return null;
  const candidates = files.get(item.identifier) ?? [];
  return candidates.find(({ path }) => path.split('/').at(-1) === item.filename) ?? candidates[0] ?? null;
}

interface Galleries {
  pagesOf: (part: Part) => Part[];
  /** Identifiers of all pages. */
  pageIdentifiers: ReadonlySet<string>;
}

/** Reads the pages of scans in order: first as the scan lists them, then other rows that have it as their parent. */
async function readGalleries({ byIdentifier, byParent }: Parts): Promise<Galleries> {
  const pages = new Map<Part, Part[]>();
  const pageIdentifiers = new Set<string>();
  for (const part of byIdentifier.values()) {
    if (part.uti !== GALLERY) continue;
    const merge = bytesOf(part.row.merge);
    const listed = (merge ? await readGallery(merge).catch(() => []) : [])
      .map((identifier) => byIdentifier.get(identifier))
      .filter((page) => page !== undefined);
    const all = [...new Set([...listed, ...(byParent.get(part.id) ?? [])])];
    for (const { identifier } of all) pageIdentifiers.add(identifier);
    pages.set(part, all);
  }
  return { pageIdentifiers, pagesOf: (part) => pages.get(part) ?? byParent.get(part.id) ?? [] };
}

/** Puts one U+FFFC per attachment at each position: a scan has one for each page, a deleted attachment none. */
function markAttachments({ text, attachments }: NoteBody, inText: readonly NoteAttachment[][]): string {
  const parts = text.split('\uFFFC');
  if (parts.length !== attachments.length + 1) return text;
  return parts.map((part, index) => part + '\uFFFC'.repeat(inText[index]?.length ?? 0)).join('');
}

async function tableOf(data: Uint8Array | null): Promise<string[][] | null> {
  if (!data) return null;
  try {
    return await readNoteTable(data);
  } catch {
    return null;
  }
}
