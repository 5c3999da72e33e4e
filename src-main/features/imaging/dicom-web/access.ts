import { createHash } from 'node:crypto';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { viewerAccesses as contract } from '../../../../src-shared/contract/viewer-access.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { ViewerGateDeps, ViewerGrant } from '../../../platform/http/viewer-gate.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { randomToken } from '../../../platform/kernel/ids.ts';
import { createAccessRepository, type AccessRepository } from './access-repository.ts';

/** Of each user. */
const MAX_TOKENS = 50;

interface Deps {
  clock: Clock;
  tokens: AccessRepository;
}

export type ViewerAccessService = ReturnType<typeof createViewerAccess>;

/** Tokens of imaging viewers. Only their hashes are stored: they have 256 random bits. */
export const createViewerAccess = ({ db, clock }: { db: Database; clock: Clock }) =>
  bindFirst({ clock, tokens: createAccessRepository(db) } satisfies Deps as Deps, {
    list,
    create,
    revoke,
    grantOf,
    knowsOrigin: ({ tokens }: Deps, origin: string): boolean => tokens.knowsOrigin(origin),
  }) satisfies ViewerGateDeps;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const list = ({ tokens }: Deps, userId: number): Reply<typeof contract.list>['items'] => tokens.ofUser(userId);

function create(
  { clock, tokens }: Deps,
  { name, origins }: { name: string; origins: readonly string[] },
  userId: number,
): Reply<typeof contract.create> {
  if (tokens.ofUser(userId).length >= MAX_TOKENS) throw fail('dicomweb.too_many_tokens', { limit: MAX_TOKENS });
  const token = randomToken();
  const values = { user_id: userId, name, origins: [...new Set(origins)], created_at: toTimestamp(clock.now()) };
  const id = tokens.insert({ ...values, token_hash: hashOf(token) });
  return { id, token, name, origins: values.origins, created_at: values.created_at, last_used_at: null };
}

/** @throws `dicomweb.token_not_found`, also for tokens of others */
function revoke({ tokens }: Deps, id: number, userId: number): void {
  if (!tokens.remove(id, userId)) throw fail('dicomweb.token_not_found');
}

/** Notes the use of a token, at most once a minute. */
function grantOf({ clock, tokens }: Deps, token: string, ip: string): ViewerGrant | null {
  const found = token === '' ? undefined : tokens.withHash(hashOf(token));
  if (!found) return null;
  const now = toTimestamp(clock.now());
  if (found.last_used_at?.slice(0, 16) !== now.slice(0, 16)) tokens.noteUse(found.id, now);
  return {
    caller: {
      kind: 'user',
      ip,
      userId: found.user_id,
      username: found.username,
      displayName: found.display_name,
      role: found.role,
      sessionId: `viewer-${found.id}`,
    },
    origins: found.origins,
  };
}
