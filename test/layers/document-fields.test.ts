import { getTableColumns } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { documentDetail } from '../../src-shared/contract/rows.ts';
import { documents } from '../../src-main/platform/database/schema/index.ts';

/** Columns that nobody outside of the core needs. */
const INTERNAL = [
  // When the file says that it was made: the date of a document in which no other one was read.
  'original_date',
  // Part of the name under which the file is stored, which is in `file_path`.
  'filename_stem',
  // Pages are sent as they are turned.
  'page_turns',
];

it('a document is sent with each of its columns', () => {
  const sent = new Set(Object.keys(documentDetail.shape));
  const columns = Object.keys(getTableColumns(documents));
  expect(columns.filter((name) => !sent.has(name) && !INTERNAL.includes(name))).toEqual([]);
  expect(INTERNAL.filter((name) => sent.has(name) || !columns.includes(name))).toEqual([]);
});
