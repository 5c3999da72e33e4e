import { expect } from 'vitest';
import { Program } from './program.ts';
import * as S from './shapes.ts';
import { type Step } from './walk.ts';

export const administrationSteps: readonly Step[] = [
  [
    'changes settings and prompts, and downloads a backup',
    async ({ ask }) => {
      const secrets = ['ocr_remote_api_key', 'google_vision_key', 'oidc_client_secret'];
      await ask('PATCH /api/settings', { body: S.SETTINGS });
      const { body } = await ask('GET /api/settings', { shape: {} });
      const plain = Object.keys(S.SETTINGS).filter((key) => !secrets.includes(key));
      expect(Object.fromEntries(plain.map((key) => [key, body[key]]))).toEqual({
        ...Object.fromEntries(plain.map((key) => [key, S.SETTINGS[key]])),
        // A language by its code, a share as a percentage.
        canonical_language: 'en',
        ocr_confidence_threshold: 70,
      });
      const prompts = (await ask('GET /api/settings/prompts', { shape: [{ key: 'string', text: 'string' }] })).body;
      expect(prompts.map(({ key }: { key: string }) => key).toSorted()).toEqual(S.PROMPT_KEYS.split(' ').toSorted());
      const at = { key: 'classification' };
      await ask('PUT /api/settings/prompts/{key}', { at, body: { text: 'Say what it is.' } });
      await ask('DELETE /api/settings/prompts/{key}', { at });
      const backup = await ask('GET /api/settings/backup');
      expect(String(backup.body).slice(0, 15)).toBe('SQLite format 3');
      await ask('GET /api/settings/logs', { shape: { logs: 'array' } });
    },
  ],
  [
    'keeps accounts, grants and sessions',
    async ({ ask, ids, url }) => {
      const body = { username: 'ben', password: 'correct horse stable', display_name: 'Ben' };
      const shape = { id: 'int', username: 'string', display_name: 'string' };
      ids.user = (await ask('POST /api/settings/users', { body, status: 201, shape })).body.id;
      await ask('POST /api/settings/users', { body, status: 409 });
      await ask('GET /api/settings/users', { shape: [shape] });
      const at = { id: ids.user };
      await ask('PATCH /api/settings/users/{id}', {
        at,
        body: { display_name: 'Benno', password: 'correct horse barn' },
      });
      const grant = { patient_id: ids.patient, role: 'viewer' };
      await ask('POST /api/settings/users/{id}/access', { at, body: grant });
      await ask('GET /api/settings/users/{id}/access', { at });

      const ben = new Program(url);
      await ask('POST /api/auth/login', { as: ben, body: { username: 'ben', password: 'wrong' }, status: 401 });
      await ask('POST /api/auth/login', { as: ben, body: { username: 'ben', password: 'correct horse barn' } });
      const result = (await ask('GET /api/lab-results', { as: ben })).body.items[0];
      await ask('PATCH /api/lab-results/{id}', { as: ben, at: { id: result.id }, body: { value: 1 }, status: 403 });
      await ask('GET /api/patients/{id}', { as: ben, at: { id: ids.second }, status: 403 });
      for (const route of ['POST /api/pipeline/stop', 'GET /api/settings/logs', 'GET /api/settings/sessions'])
        await ask(route, { as: ben, status: 403 });
      await ask('DELETE /api/settings/users/{id}/access/{patient_id}', { at: { ...at, patient_id: ids.patient } });
      await ask('GET /api/patients/{id}', { as: ben, at: { id: ids.patient }, status: 403 });

      const sessions = (await ask('GET /api/settings/sessions', { shape: { items: [S.SESSION] } })).body.items;
      const his = sessions.find(({ username }: { username: string }) => username === 'ben');
      await ask('DELETE /api/settings/sessions/{session_id}', { at: { session_id: his.session_id } });
      await ask('GET /api/auth/me', { as: ben, status: 401 });
      const all = await ask('GET /api/settings/sessions', { query: '?include_revoked=true' });
      expect(all.body.items.length).toBeGreaterThan(sessions.length - 1);
      const log = await ask('GET /api/settings/audit-log', {
        query: '?limit=500',
        shape: { items: [{ action: 'string' }] },
      });
      expect(log.body.items.map(({ action }: { action: string }) => action)).toContain('session.revoke');
      await ask('DELETE /api/settings/users/{id}', { at });
    },
  ],
  [
    'moves and deletes files of the vault, and documents',
    async ({ ask, ids }) => {
      const tree = await ask('GET /api/vault/tree');
      expect(JSON.stringify(tree.body)).toContain('patients/elena-keller');
      const { file_path: from } = (await ask('GET /api/documents/{id}', { at: { id: ids.report } })).body;
      const to = 'patients/elena-keller/2025/moved.pdf';
      const moved = await ask('POST /api/vault/move', { body: { from_path: from, to_path: to } });
      expect(moved.body).toMatchObject({ status: 'moved', from, to, affected_documents: [ids.report] });
      expect((await ask('POST /api/vault/move', { body: { from_path: to, to_path: to } })).body.status).toBe('noop');
      expect((await ask('GET /api/documents/{id}', { at: { id: ids.report } })).body.file_path).toBe(to);
      const other = await ask('POST /api/documents/{id}/move', {
        at: { id: ids.report },
        body: { patient_id: ids.second },
        shape: S.DOCUMENT,
      });
      expect(other.body.patient_id).toBe(ids.second);
      const query = `?path=${encodeURIComponent(other.body.file_path)}`;
      await ask('DELETE /api/vault/file', { query });
      await ask('GET /api/documents/{id}', { at: { id: ids.report }, status: 404 });
      await ask('DELETE /api/vault/file', { query: '?path=..%2Fetc%2Fpasswd', status: 400 });
      const last = (await ask('GET /api/documents')).body.items[0];
      await ask('DELETE /api/documents/{id}', { at: { id: last.id } });
      expect((await ask('GET /api/documents')).body.total).toBe(0);
    },
  ],
];
