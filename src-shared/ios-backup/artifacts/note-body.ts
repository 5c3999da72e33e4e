import { unpack } from '../format/gzip.ts';
import { Message } from '../format/protobuf.ts';

/**
 * Bodies and tables of Notes: gzipped protocol buffers. Field numbers are those of `notestore.proto` in
 * https://github.com/threeplanetssoftware/apple_cloud_notes_parser (iOS 9 to 26).
 */

const MAX_BODY_BYTES = 64 * 2 ** 20;
/** The limit for hostile tables; real ones are far smaller. */
const MAX_CELLS = 200_000;

export interface NoteBody {
  /** U+FFFC marks each attachment; tags, mentions and links to other notes are part of the text. */
  text: string;
  /** Attachments in the order of the text. */
  attachments: { identifier: string; uti: string | null }[];
  checklist: { line: number; is_done: boolean }[];
}
/** `ParagraphStyle.style_type` of a checklist item. */
const CHECKLIST = 103;
/** Whether an attachment is text: `.hashtag`, `.mention`, `.link`, `.calculateresult`. */
export const isInlineText = (uti: string | null): boolean =>
  uti?.startsWith('com.apple.notes.inlinetextattachment') ?? false;
/** Marks an attachment in the text (object replacement character). */
const OBJECT = '\uFFFC';

/**
 * Reads the text of `ZICNOTEDATA.ZDATA`. `inlineTextOf` returns the text of a tag or a mention. Throws when it is
 * damaged or
 * encrypted.
 */
export async function readNoteBody(
  data: Uint8Array,
  inlineTextOf: (identifier: string) => string | null = () => null,
): Promise<NoteBody> {
  // NoteStoreProto.document = 2, Document.note = 3, Note.note_text = 2, Note.attribute_run = 5,
  // AttributeRun.attachment_info = 12.
  const note = new Message(await unpack(data, MAX_BODY_BYTES)).message(2)?.message(3);
  const whole = note?.text(2) ?? '';
  const attachments: NoteBody['attachments'] = [];
  const checklist: NoteBody['checklist'] = [];
  let text = '',
    from = 0,
    at = 0,
    line = 0;
  for (const run of note?.all(5) ?? []) {
    // Lengths count UTF-16 units, like JavaScript's strings. AttributeRun.paragraph_style = 2, its style_type = 1 and
    // checklist = 5, whose done = 2.
    const part = whole.slice(at, at + (run.number(1) ?? 0));
    at += run.number(1) ?? 0;
    const style = run.message(2);
    if (style?.number(1) === CHECKLIST && checklist.at(-1)?.line !== line)
      checklist.push({ line, is_done: style.message(5)?.number(2) === 1 });
    line += part.split('\n').length - 1;
    const info = run.message(12);
    const identifier = info?.text(1);
    if (!identifier) continue;
    const uti = info?.text(2) ?? null;
    if (!isInlineText(uti)) {
      attachments.push({ identifier, uti });
      continue;
    }
    const object = whole.indexOf(OBJECT, Math.max(from, at - part.length));
    if (object < 0 || object >= at) continue;
    text += whole.slice(from, object) + (inlineTextOf(identifier) ?? '');
    from = object + OBJECT.length;
  }
  return { text: text + whole.slice(from), attachments, checklist };
}

/**
 * Reads the identifiers of a gallery's pages in order, from `ZMERGEABLEDATA1`: each page is an object with a custom map
 * whose first entry is its identifier.
 */
export async function readGallery(data: Uint8Array): Promise<string[]> {
  const whole = new Message(await unpack(data, MAX_BODY_BYTES)).message(2)?.message(3);
  return (whole?.all(3) ?? []).flatMap((object) => object.message(13)?.all(3)[0]?.message(2)?.text(4) ?? []);
}

/** Reads the text of a cell, which is stored as a note. */
const cellText = (note: Message | null): string => (note?.text(2) ?? '').replaceAll('\uFFFC', '').replace(/\n$/, '');

/**
 * The objects of a table. They refer to each other by number (`ObjectID`, whose field 6 is the number).
 * MergableDataProto.mergable_data_object = 2, .mergeable_data_object_data = 3: entries 3, key names 4, type names 5,
 * ids 6.
 */
interface TableObjects {
  objects: readonly Uint8Array[];
  keys: readonly string[];
  types: readonly string[];
  /** UUIDs as text. */
  ids: readonly string[];
}

function readTableObjects(data: Message): TableObjects {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return {
    objects: data.allBytes(3),
    keys: data.allBytes(4).map(decode),
    types: data.allBytes(5).map(decode),
    ids: data.allBytes(6).map((bytes) => bytes.join()),
  };
}

function objectAt({ objects }: TableObjects, index: number | null | undefined): Message | null {
  const bytes = index === null || index === undefined ? undefined : objects[index];
  return bytes ? new Message(bytes) : null;
}

const referencedBy = (table: TableObjects, id: Message | null | undefined): Message | null =>
  objectAt(table, id?.number(6));

/**
 * Returns the index of the id that an object of a set refers to: custom_map = 13, first map_entry = 3, its value = 2,
 * unsigned_integer_value = 2.
 */
const idIndexOf = (object: Message | null): number | null =>
  object?.message(13)?.all(3)[0]?.message(2)?.number(2) ?? null;

/** The properties of the root object by name: those of the `ICTable`. */
function rootProperties(table: TableObjects): (name: string) => Message | null {
  const root =
    table.objects
      .map((bytes) => new Message(bytes))
      .find((object) => table.types[object.message(13)?.number(1) ?? -1] === 'com.apple.notes.ICTable') ??
    objectAt(table, 0);
  const byName = new Map(
    (root?.message(13)?.all(3) ?? []).map(
      (entry) => [table.keys[entry.number(1) ?? -1] ?? '', entry.message(2)] as const,
    ),
  );
  return (name) => referencedBy(table, byName.get(name));
}

/** The number of elements of an ordered set, and their positions by the index of their id. */
interface Positions {
  count: number;
  byId: ReadonlyMap<number, number>;
}

/**
 * Reads an ordered set (16): ordering = 1 → array = 1 → ids in order (attachment = 2, its uuid = 2), and contents = 2,
 * which maps further ids to the position of one of them.
 */
function readPositions(table: TableObjects, set: Message | null): Positions {
  const ordering = set?.message(16)?.message(1);
  const byId = new Map<number, number>();
  const order = ordering?.message(1)?.all(2) ?? [];
  for (const [position, item] of order.entries()) {
    const id = item.bytes(2);
    const index = id ? table.ids.indexOf(id.join()) : -1;
    if (index >= 0) byId.set(index, position);
  }
  for (const element of ordering?.message(2)?.all(1) ?? []) {
    const position = byId.get(idIndexOf(referencedBy(table, element.message(1))) ?? -1);
    const alias = idIndexOf(referencedBy(table, element.message(2)));
    if (position !== undefined && alias !== null) byId.set(alias, position);
  }
  return { count: order.length, byId };
}

const positionOf = (table: TableObjects, { byId }: Positions, id: Message | null): number | undefined =>
  byId.get(idIndexOf(referencedBy(table, id)) ?? -1);

/**
 * Reads the rows of a table, `ZMERGEABLEDATA1` of an attachment of type `com.apple.notes.table`: rows and columns are
 * ordered sets of ids, and each column maps rows to cells. Throws when it is damaged.
 */
export async function readNoteTable(data: Uint8Array): Promise<string[][]> {
  const tableData = new Message(await unpack(data, MAX_BODY_BYTES)).message(2)?.message(3);
  if (!tableData) return [];
  const table = readTableObjects(tableData);
  const property = rootProperties(table);
  const rows = readPositions(table, property('crRows'));
  const columns = readPositions(table, property('crColumns'));
  if (rows.count * columns.count > MAX_CELLS) throw new RangeError('the table has more cells than Notes can show');
  const cells = Array.from({ length: rows.count }, () => Array.from({ length: columns.count }, () => ''));
  // Dictionary = 6 with elements 1: key 1, value 2. Each column has a dictionary of rows, each row a note = 10.
  for (const column of property('cellColumns')?.message(6)?.all(1) ?? []) {
    const x = positionOf(table, columns, column.message(1));
    for (const cell of referencedBy(table, column.message(2))?.message(6)?.all(1) ?? []) {
      const y = positionOf(table, rows, cell.message(1));
      const row = y === undefined ? undefined : cells[y];
      if (row && x !== undefined) row[x] = cellText(referencedBy(table, cell.message(2))?.message(10) ?? null);
    }
  }
  return isRightToLeft(table) ? cells.map((row) => row.toReversed()) : cells;
}

const isRightToLeft = ({ objects }: TableObjects): boolean =>
  objects.some((bytes) =>
    new Message(bytes)
      .message(13)
      ?.all(3)
      .some((entry) => entry.message(2)?.text(4) === 'CRTableColumnDirectionRightToLeft'),
  );
