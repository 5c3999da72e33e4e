import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint, type Endpoint } from '../../src-shared/contract/endpoint.ts';
import { contract } from '../../src-shared/contract/index.ts';
import type { Handlers } from '../../src-main/platform/http/bind.ts';

// What must not compile. Should one of these compile, the directive above it is unused and the type check of test/
// fails.
const reply = z.object({ ok: z.boolean() });
const summary = 'Something.';

// @ts-expect-error an endpoint says who may call it
endpoint({ method: 'GET', path: '/api/things', reply, summary });
// @ts-expect-error and it says it in words that the program knows
endpoint({ method: 'GET', path: '/api/things', reply, summary, access: 'everybody' });
// @ts-expect-error of a subject that exists
endpoint({ method: 'GET', path: '/api/things/{id}', reply, summary, access: { cat: 'read' } });
// @ts-expect-error with a right that exists
endpoint({ method: 'GET', path: '/api/things/{id}', reply, summary, access: { document: 'see' } });
// @ts-expect-error by an id in the query or the body
endpoint({ method: 'GET', path: '/api/things', reply, summary, access: { patient: 'read', from: 'headers.patient' } });
// @ts-expect-error errors have codes
endpoint({ method: 'GET', path: '/api/things', reply, summary, access: 'session', errors: ['thing.broken'] });
// @ts-expect-error an audited action has a name in the list of actions
endpoint({ method: 'POST', path: '/api/things', reply, summary, access: 'session', audit: 'thing.poke' });

const table = {
  one: endpoint({ method: 'GET', path: '/api/one', reply, summary, access: 'session' }),
  two: endpoint({ method: 'GET', path: '/api/two', reply, summary, access: 'public' }),
};
// @ts-expect-error every endpoint has a handler
export const forgotten: Handlers<typeof table> = { one: () => ({ ok: true }) };
// @ts-expect-error a handler returns the declared response
export const wrong: Handlers<typeof table> = { one: () => ({ ok: 'yes' }), two: () => ({ ok: true }) };
export const nobody: Handlers<typeof table> = {
  one: () => ({ ok: true }),
  // @ts-expect-error a public endpoint has no user
  two: (_input, { caller }) => ({ ok: caller.userId > 0 }),
};

describe('every endpoint', () => {
  const all = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area));

  it('declares who may call it', () => {
    for (const { method, path, access } of all) {
      const subjects = typeof access === 'object' ? Object.keys(access).filter((key) => key !== 'from') : [];
      expect([method, path, typeof access === 'string' || subjects.length === 1]).toEqual([method, path, true]);
    }
    expect(all.length).toBeGreaterThan(60);
  });

  it('needs a session except for health, setup, the sample household, login, the lock and strangers with a link', () => {
    const open = all.filter(({ access }) => access === 'public').map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'DELETE /api/share/queue',
      'GET /api/auth/oidc/callback',
      'GET /api/auth/oidc/enabled',
      'GET /api/auth/oidc/login',
      'GET /api/auth/passkeys/available',
      'GET /api/sample',
      'GET /api/setup/status',
      'GET /api/share/{token}/info',
      'GET /api/vault-lock',
      'GET /health',
      'POST /api/auth/login',
      'POST /api/auth/passkeys/sign-in',
      'POST /api/auth/passkeys/sign-in/options',
      'POST /api/sample/open',
      'POST /api/setup/complete',
      'POST /api/share/claim',
      'POST /api/share/heartbeat',
      'POST /api/share/logout',
      'POST /api/share/{token}/request-otp',
      'POST /api/share/{token}/verify-otp',
      'POST /api/vault-lock/cancel',
      'POST /api/vault-lock/leave',
      'POST /api/vault-lock/unlock',
    ]);
    expect(
      all
        .filter(({ csrfExempt }) => csrfExempt)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/api/auth/login', '/api/sample/open', '/api/setup/complete', '/api/share/logout']);
  });

  it('checks access to the record in its path or field', () => {
    for (const { path, access, query, body } of all) {
      if (typeof access !== 'object') continue;
      if (!access.from) {
        expect([path, path.includes('share' in access ? '{share_id}' : '{id}')]).toEqual([path, true]);
        continue;
      }
      const [part, field] = access.from.split('.') as ['query' | 'body', string];
      const schema = { query, body }[part];
      // A body that takes several spellings of a field is an object before a step that unifies them.
      const fields = (schema instanceof z.ZodPipe ? schema.in : schema) as z.ZodObject | undefined;
      expect([path, field, Object.keys(fields?.shape ?? {})]).toEqual([path, field, expect.arrayContaining([field])]);
    }
  });
});
