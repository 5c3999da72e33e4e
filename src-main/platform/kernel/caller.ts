import type { role } from '../../../src-shared/contract/wire.ts';
import type { z } from 'zod';

export type AccountRole = z.output<typeof role>;

/** The caller of a request. Created by `http/session.ts`; every handler receives one. */
export type Caller = { kind: 'nobody'; ip: string } | UserCaller | RecipientCaller;

/** Somebody outside the household who opened a share. */
export interface RecipientCaller {
  kind: 'recipient';
  ip: string;
  userAgent: string;
  shareId: string;
  /** The row of the session. */
  sessionId: number;
}

export interface UserCaller {
  kind: 'user';
  ip: string;
  userId: number;
  username: string;
  displayName: string;
  role: AccountRole;
  sessionId: string;
}
