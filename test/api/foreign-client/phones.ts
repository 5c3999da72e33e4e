import { expect } from 'vitest';
import { Program } from './program.ts';
import { OTHER_PHONE, PASSWORD, PHONE, type Step } from './walk.ts';

export const phonesSteps: readonly Step[] = [
  [
    'browses phone backups',
    async ({ ask, backupsUrl }) => {
      const at = { backup_id: PHONE };
      const open = new Program(backupsUrl, {});
      expect((await ask('GET /healthz', { as: open })).body).toEqual({ status: 'ok' });
      await ask('GET /backups', { as: open, status: 401 });
      const summary = {
        ios_identifier: 'string',
        size_bytes: 'int',
        device_name: 'string',
        is_encrypted: 'bool',
        status: 'string',
      };
      await ask('POST /backups/refresh', { shape: { backups: [summary] } });
      const { body } = await ask('GET /backups', { shape: { backups: [summary] } });
      expect(body.backups.map((one: { ios_identifier: string }) => one.ios_identifier).toSorted()).toEqual([
        PHONE,
        OTHER_PHONE,
      ]);
      const unlock = { body: { password: PASSWORD } };
      await ask('POST /backups/{backup_id}/unlock', { at: { backup_id: 'nobody' }, ...unlock, status: 404 });
      await ask('POST /backups/{backup_id}/unlock', { at, body: { password: 'wrong' }, status: 400 });
      const shape = { session_token: 'string', ttl_seconds: 'int' };
      const { session_token } = (await ask('POST /backups/{backup_id}/unlock', { at, ...unlock, shape })).body;
      const headers = { 'X-Backup-Session': session_token };
      const files = await ask('GET /backups/{backup_id}/files', {
        at,
        headers,
        query: '?domain=HomeDomain&path_like=%25note%25&limit=100&offset=0',
        shape: { items: [{ file_id: 'string', domain: 'string', relative_path: 'string' }] },
      });
      await ask('GET /backups/{backup_id}/files', { at, headers, query: '?limit=many', status: 400 });
      await ask('GET /backups/{backup_id}/domains', { at, headers, shape: { domains: ['string'] } });
      const file = { ...at, file_id: files.body.items[0].file_id };
      expect((await ask('GET /backups/{backup_id}/file/{file_id}', { at: file, headers })).body).toBe('a note');
      await ask('GET /backups/{backup_id}/file/{file_id}', { at: { ...at, file_id: 'none' }, headers, status: 404 });
      await ask('GET /backups/{backup_id}/file/{file_id}', { at: file, status: 401 });
      const elsewhere = { ...file, backup_id: OTHER_PHONE };
      await ask('GET /backups/{backup_id}/file/{file_id}', { at: elsewhere, headers, status: 403 });
      for (let times = 0; times < 2; times += 1) await ask('POST /backups/{backup_id}/lock', { at, headers });
      await ask('GET /backups/{backup_id}/domains', { at, headers, status: 401 });
    },
  ],
];
