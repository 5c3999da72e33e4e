import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phoneBackups } from '../../src-shared/contract/phone-backups/service.ts';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { ENCRYPTED, BACKUP_PASSWORD, phoneClient, phoneFolders, PLAIN, type PhoneClient } from '../support/phones.ts';
import { hasRequirements } from '../support/requirements.ts';
import { serve, type Served } from '../support/serve.ts';

const FILM = randomBytes(3_000_000);
const FILM_ID = fileIdOf('MediaDomain', 'Media/Grüße "1".mov');
let served: Served, folders: Awaited<ReturnType<typeof phoneFolders>>, phone: PhoneClient;

beforeAll(async () => {
  folders = await phoneFolders(26, [
    { domain: 'MediaDomain', path: 'Media/Grüße "1".mov', content: FILM },
    { domain: 'MediaDomain', path: 'Media/leer.txt', content: '' },
    { domain: 'MediaDomain', path: 'Media/weg.jpg', content: 'x', missing: true },
    { domain: 'MediaDomain', path: 'Media/folder', flags: 2 },
    { domain: 'MediaDomain', path: 'Media/link', flags: 4, target: '/etc/passwd' },
    { domain: 'MediaDomain', path: '../../../etc/shadow', content: 'not that one' },
    { domain: 'MediaDomain', path: 'Media/50%_x.txt', content: 'percent' },
  ]);
  served = await serve({ env: folders.env });
  phone = phoneClient(served.backupsUrl);
});
afterAll(async () => {
  await served.remove();
  folders.remove();
});

describe('access to the service', () => {
  it('responds without a token to the readiness probe only', async () => {
    expect(await phoneClient(served.backupsUrl, null).get('/healthz')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    for (const { method, path } of Object.values(phoneBackups)) {
      if (path === '/healthz') continue;
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      for (const token of [null, '', 'wrong', 'a token for test', 'a token for tests2', 'A TOKEN FOR TESTS']) {
        const answer = await phoneClient(served.backupsUrl, token).call(method, address, {
          ...(method === 'POST' && { body: '{"broken' }),
        });
        expect([method, path, token, answer.status, answer.body?.code]).toEqual([
          method,
          path,
          token,
          401,
          'token.invalid',
        ]);
      }
    }
    expect((await phoneClient(served.backupsUrl, null).get('/nowhere')).status).toBe(401);
    expect((await phone.get('/nowhere')).status).toBe(404);
  });

  it('accepts only loopback host names', async () => {
    expect((await fetch(`${served.backupsUrl}/healthz`)).status).toBe(200);
    expect(new URL(served.backupsUrl).hostname).toBe('127.0.0.1');
  });
});

describe('finding', () => {
  it('lists backups one and two folders deep, with masked identifiers, from the first call on', async () => {
    const { status, body, headers } = await phone.get('/backups');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ base_directory: folders.base, folder_state: 'readable' });
    expect(body.backups.map(({ id }: { id: string }) => id)).toEqual([ENCRYPTED, PLAIN]);
    expect(body.backups[0]).toMatchObject({
      ios_identifier: ENCRYPTED,
      display_name: 'Telefon von Elena',
      device_name: 'Test phone',
      product_version: '17.5.1',
      product_type: 'iPhone15,4',
      product_name: 'iPhone 15',
      is_encrypted: true,
      status: 'LOCKED',
      decryption_status: 'PENDING',
      is_full_backup: true,
      problems: [],
      last_backup_at: '2023-11-14T22:13:20',
    });
    expect(body.backups[0].serial_number).toMatch(/^•+0001$/);
    expect(body.backups[0].phone_number).toMatch(/^•+1820$/);
    expect(body.backups[0].size_bytes).toBeGreaterThan(3_000_000);
    expect(body.backups[1]).toMatchObject({ is_encrypted: false, status: 'DISCOVERED' });
  });

  it('finds new and removed backups by a refresh, follows no links and searches no deeper', async () => {
    await folders.add({
      name: 'later',
      folder: '',
      entries: [],
      omit: ['Info.plist', 'Status.plist', 'Manifest.plist'],
    });
    await folders.add({ name: 'a/b/too-deep', folder: '', entries: [] });
    mkdirSync(join(folders.base, 'empty'));
    if (hasRequirements('a link among backups', { symlinks: true }))
      symlinkSync(join(folders.base, ENCRYPTED), join(folders.base, 'linked'));
    expect((await phone.get('/backups')).body.backups).toHaveLength(2);
    const { body } = await phone.post('/backups/refresh');
    expect(body.backups.map(({ id }: { id: string }) => id)).toEqual([ENCRYPTED, 'later', PLAIN]);
    expect(body.backups[1]).toMatchObject({
      is_encrypted: false,
      device_name: null,
      problems: ['no_info_plist', 'no_status_plist', 'no_manifest_plist'],
    });
    rmSync(join(folders.base, 'later'), { recursive: true });
    expect((await phone.post('/backups/refresh')).body.backups[1]).toMatchObject({ id: 'later', status: 'MISSING' });
    expect((await phone.post('/backups/later/unlock', { password: '' })).status).toBe(404);
    expect((await phone.call('DELETE', '/backups/later')).status).toBe(204);
    expect((await phone.call('DELETE', '/backups/later')).body).toMatchObject({ code: 'phone.not_found' });
    expect((await phone.post('/backups/refresh')).body.backups).toHaveLength(2);
  });
});

describe('sessions', () => {
  it('opens only with the right password', async () => {
    const { status, body } = await phone.post(`/backups/${ENCRYPTED}/unlock`, { password: BACKUP_PASSWORD });
    expect([status, body]).toEqual([200, { session_token: expect.stringMatching(/^[\w-]{43}$/), ttl_seconds: 900 }]);
    expect((await phone.get('/backups')).body.backups[0]).toMatchObject({
      status: 'UNLOCKED',
      decryption_status: 'DECRYPTED',
      decrypted_at: expect.any(String),
    });
    expect(await phone.post(`/backups/${ENCRYPTED}/unlock`, { password: 'falsch' })).toMatchObject({
      status: 400,
      body: { code: 'phone.incorrect_password', detail: expect.any(String) },
    });
    expect(await phone.post('/backups/unknown/unlock', { password: BACKUP_PASSWORD })).toMatchObject({
      status: 404,
      body: { code: 'phone.not_found' },
    });
    expect((await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, body.session_token as string)).status).toBe(200);
    expect((await phone.get('/backups')).body.backups[0].status).toBe('LOCKED');
  });

  it.each([
    ['no body', undefined],
    ['no password', {}],
    ['a number', { password: 7 }],
    ['an unknown field', { password: 'x', more: 1 }],
    ['broken JSON', '{"pass'],
    ['too much', { password: 'x'.repeat(2000) }],
  ])('responds with 400 to %s', async (_, body) => {
    expect(await phone.post(`/backups/${ENCRYPTED}/unlock`, body)).toMatchObject({
      status: 400,
      body: { detail: expect.any(String), code: expect.stringMatching(/^request\./) },
    });
  });

  it('opens a backup that is not encrypted with any password', async () => {
    for (const password of ['', 'anything']) expect(await phone.unlock(PLAIN, password)).toMatch(/^[\w-]{43}$/);
  });

  it('requires a session of this backup', async () => {
    const mine = await phone.unlock(ENCRYPTED);
    const others = await phone.unlock(PLAIN);
    for (const tail of ['files', 'domains', 'suggestions', `file/${FILM_ID}`]) {
      expect([tail, (await phone.get(`/backups/${ENCRYPTED}/${tail}`)).body]).toEqual([
        tail,
        expect.objectContaining({ code: 'phone.session_invalid' }),
      ]);
      expect([tail, (await phone.get(`/backups/${ENCRYPTED}/${tail}`, 'nonsense')).status]).toEqual([tail, 401]);
      expect([tail, (await phone.get(`/backups/${ENCRYPTED}/${tail}`, others)).status]).toEqual([tail, 403]);
      expect([tail, (await phone.get(`/backups/${ENCRYPTED}/${tail}`, mine)).status]).toEqual([tail, 200]);
    }
    expect(await phone.post(`/backups/${ENCRYPTED}/index`, {}, others)).toMatchObject({
      status: 403,
      body: { code: 'phone.session_mismatch' },
    });
    expect((await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, others)).status).toBe(403);
  });

  it('ends one of two sessions without the other, and locks again without complaint', async () => {
    const [one, two] = [await phone.unlock(ENCRYPTED), await phone.unlock(ENCRYPTED)];
    expect(one).not.toBe(two);
    expect((await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, one)).status).toBe(200);
    expect((await phone.get(`/backups/${ENCRYPTED}/domains`, one)).status).toBe(401);
    expect((await phone.get(`/backups/${ENCRYPTED}/domains`, two)).status).toBe(200);
    for (const again of [one, 'never issued'])
      expect((await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, again)).status).toBe(200);
    expect((await phone.post(`/backups/${ENCRYPTED}/lock`)).status).toBe(401);
    expect((await phone.post('/backups/unknown/lock', undefined, one)).status).toBe(404);
    expect((await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, two)).status).toBe(200);
  });

  it('continues with waiting requests when others disconnect', async () => {
    const away = new AbortController(),
      tried = Array.from({ length: 40 }, (_, i) =>
        phone
          .call('POST', `/backups/${ENCRYPTED}/unlock`, {
            body: { password: i === 39 ? BACKUP_PASSWORD : `wrong ${i}` },
            signal: away.signal,
          })
          .catch(() => null),
      );
    await phone.get('/backups');
    away.abort();
    expect((await Promise.all(tried)).every((answer) => answer === null)).toBe(true);
    expect(await phone.unlock(ENCRYPTED)).toMatch(/^[\w-]{43}$/);
  });

  it('responds while keys are derived', async () => {
    const wrong = Promise.all(
      ['a', 'b', 'c'].map((password) => phone.post(`/backups/${ENCRYPTED}/unlock`, { password })),
    );
    expect((await phone.get('/backups')).status).toBe(200);
    expect((await wrong).map(({ status }) => status)).toEqual([400, 400, 400]);
  });
});

describe('entries', () => {
  let session: string;
  beforeAll(async () => {
    session = await phone.unlock(ENCRYPTED);
  });
  const files = async (query: string) => (await phone.get(`/backups/${ENCRYPTED}/files?${query}`, session)).body;

  it('lists a hundred by default, in order, with the fields of the manifest', async () => {
    const all = await files('limit=1000');
    expect(all).toMatchObject({ limit: 1000, offset: 0, total: all.items.length });
    const names = all.items.map(
      (item: { domain: string; relative_path: string }) => `${item.domain}\0${item.relative_path}`,
    );
    expect(names).toEqual(names.toSorted((a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(all.items.find((item: { file_id: string }) => item.file_id === FILM_ID)).toEqual({
      file_id: FILM_ID,
      domain: 'MediaDomain',
      relative_path: 'Media/Grüße "1".mov',
      size: 3_000_000,
      mtime: '2023-11-14T22:13:20',
      kind: 'file',
      flags: 1,
      protection_class: 3,
    });
    expect((await files('')).limit).toBe(100);
    expect((await files('limit=3&offset=2')).items).toEqual(all.items.slice(2, 5));
    expect((await files('offset=100000')).items).toEqual([]);
  });

  it('filters by exact domain and by LIKE pattern', async () => {
    expect(
      (await files('domain=MediaDomain&limit=1000')).items.every(
        (item: { domain: string }) => item.domain === 'MediaDomain',
      ),
    ).toBe(true);
    expect((await files('domain=mediadomain')).total).toBe(0);
    expect(
      (await files('path_like=%25.MOV&domain=MediaDomain')).items.map((item: { file_id: string }) => item.file_id),
    ).toEqual([FILM_ID]);
    expect((await files('path_like=Media/50__x.txt')).total).toBe(1);
    expect((await files("path_like=';DROP%20TABLE%20Files")).total).toBe(0);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=x',
    'offset=-1',
    'limit=1.5',
    'limit=1e2',
    `path_like=${'x'.repeat(1001)}`,
  ])('responds with 400 to %s', async (query) => {
    expect(await phone.get(`/backups/${ENCRYPTED}/files?${query}`, session)).toMatchObject({
      status: 400,
      body: { code: 'request.invalid', detail: expect.any(String) },
    });
  });

  it('lists domains with their totals', async () => {
    const { body } = await phone.get(`/backups/${ENCRYPTED}/domains`, session);
    expect(body.domains).toContain('HealthDomain');
    expect(body.counts.find(({ domain }: { domain: string }) => domain === 'MediaDomain')).toMatchObject({ files: 6 });
  });

  it('sends a complete file under its own name', async () => {
    const { status, bytes, headers } = await phone.get(`/backups/${ENCRYPTED}/file/${FILM_ID}`, session);
    expect([
      status,
      bytes.equals(FILM),
      headers.get('content-length'),
      headers.get('cache-control'),
      headers.get('accept-ranges'),
    ]).toEqual([200, true, '3000000', 'no-store', 'bytes']);
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.mov");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=1048570-1048600', 1_048_570, 1_048_601],
    ['bytes=2999990-', 2_999_990, 3_000_000],
    ['bytes=-7', 2_999_993, 3_000_000],
    ['bytes=-99999999', 0, 3_000_000],
    ['bytes=5-99999999', 5, 3_000_000],
  ])('sends the range %s', async (range, start, end) => {
    const { status, bytes, headers } = await phone.get(`/backups/${ENCRYPTED}/file/${FILM_ID}`, session, {
      Range: range,
    });
    expect([status, headers.get('content-range'), headers.get('content-length')]).toEqual([
      206,
      `bytes ${start}-${end - 1}/3000000`,
      String(end - start),
    ]);
    expect(bytes.equals(FILM.subarray(start, end))).toBe(true);
  });

  it('responds with 416 to a range beyond the end, and with the whole file to an invalid range', async () => {
    expect(
      await phone.get(`/backups/${ENCRYPTED}/file/${FILM_ID}`, session, { Range: 'bytes=3000000-' }),
    ).toMatchObject({ status: 416 });
    for (const range of ['lines=1-2', 'bytes=9-3', 'bytes=0-1,5-6'])
      expect((await phone.get(`/backups/${ENCRYPTED}/file/${FILM_ID}`, session, { Range: range })).bytes.length).toBe(
        3_000_000,
      );
    expect(
      (
        await phone.get(`/backups/${ENCRYPTED}/file/${FILM_ID}`, session, {
          Range: 'bytes=0-1',
          'If-Range': '"a file that it was"',
        })
      ).status,
    ).toBe(200);
  });

  it('detects types by content, and sends empty files', async () => {
    const typeOf = async (domain: string, path: string) =>
      (await phone.get(`/backups/${ENCRYPTED}/file/${fileIdOf(domain, path)}`, session)).headers.get('content-type');
    expect(await typeOf('HomeDomain', 'Library/SMS/sms.db')).toMatch(/sqlite/);
    expect(await typeOf('MediaDomain', 'Library/SMS/Attachments/ab/11/Befund.pdf')).toBe('application/pdf');
    expect(await typeOf('MediaDomain', 'Media/50%_x.txt')).toBe('text/plain; charset=utf-8');
    expect(
      await phone.get(`/backups/${ENCRYPTED}/file/${fileIdOf('MediaDomain', 'Media/leer.txt')}`, session),
    ).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
  });

  it.each([
    ['unknown', 'f'.repeat(40), 'phone.file_not_found'],
    ['nonsense', '..%2f..%2fetc%2fpasswd', 'phone.file_not_found'],
    ['a folder', fileIdOf('MediaDomain', 'Media/folder'), 'phone.not_a_file'],
    ['a link', fileIdOf('MediaDomain', 'Media/link'), 'phone.not_a_file'],
    ['missing', fileIdOf('MediaDomain', 'Media/weg.jpg'), 'phone.file_missing'],
  ])('responds with 404 and the reason to a file that is %s', async (_, id, code) => {
    expect(await phone.get(`/backups/${ENCRYPTED}/file/${id}`, session)).toMatchObject({ status: 404, body: { code } });
  });

  it('sends an entry with a path traversal under its file name', async () => {
    const { bytes, headers } = await phone.get(
      `/backups/${ENCRYPTED}/file/${fileIdOf('MediaDomain', '../../../etc/shadow')}`,
      session,
    );
    expect([bytes.toString(), headers.get('content-disposition')]).toEqual([
      'not that one',
      expect.stringMatching(/filename="shadow"/),
    ]);
  });

  it('responds to HEAD with the length, and to other methods with 405', async () => {
    const { status, headers, bytes } = await phone.call('HEAD', `/backups/${ENCRYPTED}/file/${FILM_ID}`, { session });
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '3000000', 0]);
    expect((await phone.call('PUT', `/backups/${ENCRYPTED}/files`, { session })).status).toBe(405);
  });
});
