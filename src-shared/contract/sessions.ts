import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { flagText, id, role, timestamp } from './wire.ts';

const session = z.object({
  session_id: z.string(),
  user_id: id,
  username: z.string(),
  display_name: z.string(),
  role,
  created_at: timestamp,
  last_active_at: timestamp,
  expires_at: timestamp,
  ip_address: z.string(),
  user_agent: z.string(),
  revoked_at: timestamp.nullable(),
  is_current: z.boolean(),
});
export type Session = z.output<typeof session>;

export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/sessions',
    access: 'admin',
    query: z.object({
      include_revoked: flagText,
    }),
    reply: z.object({ items: z.array(session) }),
    summary: 'Lists sessions, most recently active first; with `include_revoked` also the last 500 that ended.',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/settings/sessions/{session_id}',
    access: 'admin',
    audit: 'session.revoke',
    params: z.object({ session_id: z.string().max(200) }),
    reply: z.object({ ok: z.literal(true) }),
    errors: ['session.not_found'],
    summary:
      'Ends a session: its user is signed out with the next request. A session that has already ended is not changed.',
  }),
} as const;
