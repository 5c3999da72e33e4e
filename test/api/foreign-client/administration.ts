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
    'lists services for reading and their keys, and tries them',
    async ({ ask, ids }) => {
      const row = { id: 'string', type: 'string', name: 'string', enabled: 'bool', priority: 'int' };
      const credential = { type: 'ollama', name: 'Laptop', base_url: 'http://127.0.0.1:9' };
      await ask('PUT /api/settings/credentials', { body: [credential] });
      const shape = [{ id: 'string', name: 'string', type: 'string', has_api_key: 'bool' }] as const;
      const credential_id = (await ask('GET /api/settings/credentials', { shape })).body[0].id;
      const model = { type: 'ollama', name: 'Laptop', model: 'gemma3', credential_id };
      const lists = {
        llm: [{ id: 'builtin', type: 'builtin', name: 'Hearth' }, model],
        vision: [model],
        ocr: [{ type: 'tesseract', name: 'Tesseract' }],
      };
      for (const [kind, body] of Object.entries(lists)) {
        await ask(`PUT /api/settings/${kind}-providers`, { body });
        const kept = (await ask(`GET /api/settings/${kind}-providers`, { shape: [row] })).body;
        expect(kept.map(({ type }: { type: string }) => type)).toEqual(body.map(({ type }) => type));
      }
      const unreachable = { provider: { ...model, timeout: 2 } };
      for (const kind of ['llm', 'vision'])
        expect((await ask(`POST /api/settings/test-${kind}-provider`, { body: unreachable })).body.ok).toBe(false);
      const vision = { type: 'google_vision', name: 'Google' };
      await ask('POST /api/settings/test-ocr-provider', { body: { provider: vision } });
      const { name: _name, ...general } = model;
      await ask('PUT /api/settings/general-llm', { body: { ...general, timeout: 60 } });
      const kept = {
        credential_id: 'string',
        type: 'string',
        model: 'string',
        timeout: 'int',
        configured: 'bool',
      } as const;
      expect((await ask('GET /api/settings/general-llm', { shape: kept })).body).toMatchObject({
        ...{ ...general, timeout: 60, configured: true },
      });
      const on = { id: ids.report };
      const bbox = { x: 0.1, y: 0.1, w: 0.5, h: 0.2 };
      const queued = { status: 'string', document_id: 'int' } as const;
      await ask('POST /api/documents/{id}/translate', { at: on, body: {}, status: 202, shape: queued });
      const region = { at: on, body: { page: 1, bbox }, status: 202, shape: { ...queued, region_id: 'int' } } as const;
      const { region_id } = (await ask('POST /api/documents/{id}/translate-region', region)).body;
      const one = { id: ids.report, region_id };
      await ask('GET /api/documents/{id}/region-translations/{region_id}/thumbnail', { at: one });
      await ask('DELETE /api/documents/{id}/region-translations/{region_id}', { at: one });
      await ask('POST /api/documents/{id}/cancel', { at: on });
      await ask('PUT /api/settings/general-llm', { body: { type: null } });
      await ask('PUT /api/settings/llm-providers', { body: [lists.llm[0]] });
      const change = { instruction: 'The date is 12 November 2025' };
      await ask('POST /api/documents/{id}/edit-with-ai', { at: on, body: change, status: 503 });
      await ask('POST /api/documents/{id}/suggest-links', { at: on, status: 503 });
      await ask('POST /api/events/suggest-for-document/{doc_id}', { at: { doc_id: ids.report }, status: 503 });
      await ask('PUT /api/settings/vision-providers', { body: [] });
      await ask('PUT /api/settings/credentials', { body: [] });
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
