import type { role } from '../../../src-shared/contract/wire.ts';
import type { z } from 'zod';

export type AccountRole = z.output<typeof role>;

/** Who is asking. Made by `http/session.ts`; a handler cannot be reached without one. */
export type Caller = { kind: 'nobody'; ip: string } | UserCaller;

export interface UserCaller {
  kind: 'user';
  ip: string;
  userId: number;
  username: string;
  displayName: string;
  role: AccountRole;
  sessionId: string;
}
