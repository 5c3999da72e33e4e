import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { civilDate, order, wholeText } from '../wire.ts';

/** Parts that several endpoints of the phone-backup service share. */

/** The name of the backup's folder. */
export const backupId = z.string().min(1).max(255);
export const backupParams = z.object({ backup_id: backupId });
export const shortText = z.string().max(1000);
export const rowParams = z.object({ backup_id: backupId, guid: shortText.min(1) });
export const PAGING = { limit: wholeText(1, 1000).default(100), offset: wholeText(0, 1_000_000_000).default(0) };
export const SEARCH_TEXT = { q: shortText.optional() };
export const DAY_RANGE = { from: civilDate.optional(), to: civilDate.optional() };
/** Query of one conversation's messages. `at` is the GUID of a message whose position the reply reports. */
export const threadQuery = z.object({ order: order.default('asc'), at: shortText.optional(), ...PAGING });
/** Zero-based position of the message `at`; null if the query names none or it is not in the conversation. */
export const positionInThread = z.int().nullable();

/** The errors of every endpoint that reads the index. */
export const INDEX_ERRORS = ['phone.not_found'] as const;

/** The reply of a list: one page of items and the total count. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });

/** Declares an endpoint that lists rows of the index under `artifacts/`. */
export const listEndpoint = <P extends string, T extends z.ZodType, Q extends z.ZodRawShape>(
  path: P,
  row: T,
  query: Q,
  summary: string,
) =>
  endpoint({
    method: 'GET',
    path: `/backups/{backup_id}/artifacts/${path}` as const,
    access: 'token',
    params: backupParams,
    query: z.object({ ...query, ...PAGING }),
    reply: pageOf(row),
    errors: INDEX_ERRORS,
    summary,
  });
