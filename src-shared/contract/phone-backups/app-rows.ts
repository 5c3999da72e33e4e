import { z } from 'zod';
import { timestamp } from '../wire.ts';

const when = timestamp.nullable();
const text = z.string().nullable();

export const visitRow = z.object({ url: z.string(), title: text, visited_at: when, visit_count: z.int() });
export type VisitRow = z.output<typeof visitRow>;
export const bookmarkRow = z.object({
  bookmark_identifier: z.string(),
  title: text,
  url: text,
  folder: text,
  kind: z.enum(['bookmark', 'reading_list', 'tab']),
  added_at: when,
});
export type BookmarkRow = z.output<typeof bookmarkRow>;

export const appRow = z.object({
  bundle_identifier: z.string(),
  name: text,
  version: text,
  has_data: z.boolean(),
  file_count: z.int(),
  size_bytes: z.int(),
});
export type AppRow = z.output<typeof appRow>;
export const accountRow = z.object({
  account_identifier: z.string(),
  type: text,
  username: text,
  description: text,
  owner: text,
  created_at: when,
});
export type AccountRow = z.output<typeof accountRow>;
