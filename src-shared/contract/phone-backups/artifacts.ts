import { z } from 'zod';
import { timestamp } from '../wire.ts';
import { ARTIFACTS } from './artifact-table.ts';

/**
 * Rows that Hearth reads from the databases of a phone backup. The service sends them from its index; the worker of the
 * page builds the same rows from the files. Times are UTC and null if missing or impossible. A `file_id` is null if the
 * backup has no such file (photos only in iCloud, attachments that were never downloaded).
 */
export * from './app-rows.ts';
export * from './calendar-rows.ts';
export * from './contact-rows.ts';
export * from './health-rows.ts';
export * from './library-rows.ts';
export * from './message-rows.ts';
export * from './reminder-rows.ts';
export { ARTIFACTS, type ArtifactName } from './artifact-table.ts';

export const artifactName = z.enum(ARTIFACTS);

export const searchHit = z.object({
  artifact: artifactName,
  /** The row's own identifier, such as a message's GUID; `parent` is its conversation. */
  identifier: z.string(),
  parent: z.string().nullable(),
  title: z.string().nullable(),
  /** Text around the matches, which are enclosed in U+E000 and U+E001. */
  snippet: z.string(),
  at: timestamp.nullable(),
  file_id: z.string().nullable(),
});
export type SearchHit = z.output<typeof searchHit>;
