import { z } from 'zod';
import { errorReference } from './errors.ts';
import { TUNNEL_KINDS } from './setting-keys.ts';
import { timestamp } from './wire.ts';

/** `off`: nothing is reached from outside; `failed`: tried again at `retry_at`, or not by itself if that is null. */
const tunnelState = z.enum(['off', 'opening', 'open', 'failed']);

/** How recipients reach the service for them. */
export const tunnel = z.object({
  kind: z.enum(TUNNEL_KINDS),
  state: tunnelState,
  /** The public address without a trailing slash; null while it is not open. */
  address: z.string().nullable(),
  since: timestamp.nullable(),
  /** Why it failed, for administrators only. */
  error: errorReference.nullable(),
  retry_at: timestamp.nullable(),
});
export type Tunnel = z.output<typeof tunnel>;
