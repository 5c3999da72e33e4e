import { expect } from 'vitest';
import * as S from './shapes.ts';
import { PASSWORD, type Step } from './walk.ts';

export const setupSteps: readonly Step[] = [
  [
    'sets the service up and signs in',
    async ({ ask }) => {
      await ask('GET /health', { shape: { status: 'string', mode: 'core|share' } });
      expect((await ask('GET /api/setup/status', { shape: { needs_setup: 'bool' } })).body.needs_setup).toBe(true);
      const body = {
        username: 'ann',
        password: PASSWORD,
        patient_name: 'Elena Keller',
        display_name: 'Ann Keller',
        patient_date_of_birth: '1979-05-09',
        patient_sex: 'female',
      };
      const { headers } = await ask('POST /api/setup/complete', { body });
      expect(headers.get('set-cookie')).toMatch(/^vault_session=/);
      expect((await ask('GET /api/setup/status')).body.needs_setup).toBe(false);
      await ask('POST /api/setup/complete', { body, status: 400 });
      await ask('GET /api/auth/oidc/enabled', { shape: { enabled: 'bool', provider_url: 'string' } });
      // Sign-in with a provider is off.
      await ask('GET /api/auth/oidc/login', { status: 404 });
      await ask('GET /api/auth/oidc/callback', { query: '?code=a&state=b&session_state=c&more=d', status: 404 });
      await ask('POST /api/auth/logout');
      await ask('GET /api/auth/me', { status: 401 });
      const login = await ask('POST /api/auth/login', {
        body: { username: 'ann', password: PASSWORD },
        shape: { id: 'int', username: 'string', display_name: 'string' },
      });
      const cookie = login.headers.getSetCookie().find((line) => line.startsWith('vault_session='));
      expect(cookie?.toLowerCase()).toMatch(/(?=.*; httponly)(?=.*; samesite=lax)(?=.*; path=\/(;|$))/);
      await ask('GET /api/auth/me', { shape: S.ME });
    },
  ],
  [
    'keeps patients',
    async ({ ask, ids }) => {
      const { body } = await ask('GET /api/patients', { shape: [S.PATIENT] });
      expect(body).toMatchObject([{ display_name: 'Elena Keller', sex: 'F' }]);
      ids.patient = body[0].id;
      const add = async (): Promise<number> =>
        (
          await ask('POST /api/patients', {
            body: { display_name: 'Luca Rossi', date_of_birth: '1990-02-03', sex: 'm' },
            status: 201,
            shape: S.PATIENT,
          })
        ).body.id;
      ids.second = await add();
      const at = { id: await add() };
      await ask('GET /api/patients/{id}', { at, shape: S.PATIENT });
      await ask('PATCH /api/patients/{id}', {
        at,
        body: { display_name: 'Luca R.', date_of_birth: '1990-02-04', sex: 'O' },
        shape: S.PATIENT,
      });
      await ask('DELETE /api/patients/{id}', { at });
      await ask('GET /api/patients/{id}', { at, status: 404 });
    },
  ],
];
