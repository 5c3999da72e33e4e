import { unpack } from '../format/gzip.ts';
import { Message } from '../format/protobuf.ts';

/**
 * Bodies and tables of Notes: gzip of protocol buffers. Field numbers as in `notestore.proto` of
 * https://github.com/threeplanetssoftware/apple_cloud_notes_parser (iOS 9 to 26).
 */

const MAX_BODY = 64 * 2 ** 20;
/** A table of Notes stays far under this; a hostile one must not allocate more. */
const MAX_CELLS = 200_000;

export interface NoteBody {
  /** U+FFFC marks each attachment; tags, mentions and links to other notes are part of the text. */
  text: string;
  /** Attachments in the order of the text. */
  attachments: { identifier: string; uti: string | null }[];
  checklist: { line: number; is_done: boolean }[];
}
/** `ParagraphStyle.style_type` of a line that is to be ticked off. */
const CHECKLIST = 103;
/** Whether an attachment is text: `.hashtag`, `.mention`, `.link`, `.calculateresult`. */
export const isInlineText = (uti: string | null): boolean =>
  uti?.startsWith('com.apple.notes.inlinetextattachment') ?? false;
const OBJECT = '\uFFFC';

/**
 * Reads the text of `ZICNOTEDATA.ZDATA`. `wordsOf` returns the text of a tag or a mention. Throws when it is damaged or
 * encrypted.
 */
export async function readNoteBody(
  data: Uint8Array,
  wordsOf: (identifier: string) => string | null = () => null,
): Promise<NoteBody> {
  // NoteStoreProto.document = 2, Document.note = 3, Note.note_text = 2, Note.attribute_run = 5, AttributeRun.attachment_info = 12.
  const note = new Message(await unpack(data, MAX_BODY)).message(2)?.message(3);
  const whole = note?.text(2) ?? '';
  const attachments: NoteBody['attachments'] = [];
  const checklist: NoteBody['checklist'] = [];
  let text = '',
    from = 0,
    at = 0,
    line = 0;
  for (const run of note?.all(5) ?? []) {
    // Lengths count UTF-16 units, as our strings do; AttributeRun.paragraph_style = 2, its style_type = 1 and checklist = 5, whose done = 2.
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
    text += whole.slice(from, object) + (wordsOf(identifier) ?? '');
    from = object + OBJECT.length;
  }
  return { text: text + whole.slice(from), attachments, checklist };
}

/** Attachments of a gallery in their order, by `ZMERGEABLEDATA1`: objects with a custom map whose first entry is their identifier. */
export async function readGallery(data: Uint8Array): Promise<string[]> {
  const whole = new Message(await unpack(data, MAX_BODY)).message(2)?.message(3);
  return (whole?.all(3) ?? []).flatMap((object) => object.message(13)?.all(3)[0]?.message(2)?.text(4) ?? []);
}

/** Reads the text of a cell, which is stored as a note. */
const cellText = (note: Message | null): string => (note?.text(2) ?? '').replaceAll('\uFFFC', '').replace(/\n$/, '');

/**
 * Reads the rows of a table, `ZMERGEABLEDATA1` of an attachment of type `com.apple.notes.table`. It is stored as
 * objects that refer to each other by number: rows and columns are ordered sets of ids, and each column maps rows to
 * cells. Throws when it is damaged.
 */
export async function readNoteTable(data: Uint8Array): Promise<string[][]> {
  // MergableDataProto.mergable_data_object = 2, .mergeable_data_object_data = 3: entries 3, key names 4, type names 5, ids 6.
  const whole = new Message(await unpack(data, MAX_BODY)).message(2)?.message(3);
  if (!whole) return [];
  const objects = whole.allBytes(3);
  const keys = whole.allBytes(4).map((bytes) => new TextDecoder().decode(bytes));
  const types = whole.allBytes(5).map((bytes) => new TextDecoder().decode(bytes));
  const ids = whole.allBytes(6).map((bytes) => bytes.join());
  const objectAt = (index: number | null | undefined): Message | null => {
    const bytes = index === null || index === undefined ? undefined : objects[index];
    return bytes ? new Message(bytes) : null;
  };
  /** The object that an ObjectID (its field 6) refers to. */
  const referred = (id: Message | null | undefined): Message | null => objectAt(id?.number(6));
  /**
   * Returns the index of the id that an object of the set refers to: custom_map = 13, first map_entry = 3, its value =
   * 2, unsigned_integer_value = 2.
   */
  const idIndex = (object: Message | null): number | null =>
    object?.message(13)?.all(3)[0]?.message(2)?.number(2) ?? null;

  const root =
    objects
      .map((bytes) => new Message(bytes))
      .find((object) => types[object.message(13)?.number(1) ?? -1] === 'com.apple.notes.ICTable') ?? objectAt(0);
  const byKey = new Map(
    (root?.message(13)?.all(3) ?? []).map((entry) => [keys[entry.number(1) ?? -1] ?? '', entry.message(2)] as const),
  );
  const byName = (name: string): Message | null => referred(byKey.get(name));

  /** Places by id of an ordered set (16): ordering = 1 → array = 1 → ids in order (attachment = 2, its uuid = 2), and contents = 2, which gives further ids the place of one of them. */
  const places = (set: Message | null): { count: number; placeOf: Map<number, number> } => {
    const ordering = set?.message(16)?.message(1);
    const placeOf = new Map<number, number>();
    const order = ordering?.message(1)?.all(2) ?? [];
    for (const [place, item] of order.entries()) {
      const id = item.bytes(2);
      const index = id ? ids.indexOf(id.join()) : -1;
      if (index >= 0) placeOf.set(index, place);
    }
    for (const element of ordering?.message(2)?.all(1) ?? []) {
      const place = placeOf.get(idIndex(referred(element.message(1))) ?? -1);
      const alias = idIndex(referred(element.message(2)));
      if (place !== undefined && alias !== null) placeOf.set(alias, place);
    }
    return { count: order.length, placeOf };
  };
  const rows = places(byName('crRows'));
  const columns = places(byName('crColumns'));
  if (rows.count * columns.count > MAX_CELLS) throw new RangeError('a table of more cells than Notes can show');
  const cells = Array.from({ length: rows.count }, () => Array.from({ length: columns.count }, () => ''));
  // Dictionary = 6 with elements 1: key 1, value 2. Of columns, each with a dictionary of rows, each with a note = 10.
  for (const column of byName('cellColumns')?.message(6)?.all(1) ?? []) {
    const x = columns.placeOf.get(idIndex(referred(column.message(1))) ?? -1);
    for (const cell of referred(column.message(2))?.message(6)?.all(1) ?? []) {
      const y = rows.placeOf.get(idIndex(referred(cell.message(1))) ?? -1);
      const row = y === undefined ? undefined : cells[y];
      if (row && x !== undefined) row[x] = cellText(referred(cell.message(2))?.message(10) ?? null);
    }
  }
  const isFromRight = objects.some((bytes) =>
    new Message(bytes)
      .message(13)
      ?.all(3)
      .some((entry) => entry.message(2)?.text(4) === 'CRTableColumnDirectionRightToLeft'),
  );
  return isFromRight ? cells.map((row) => row.toReversed()) : cells;
}
