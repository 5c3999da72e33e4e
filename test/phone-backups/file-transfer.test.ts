import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { ENCRYPTED, phoneClient, phoneFolders, PLAIN, TOKEN, type PhoneClient } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

/** Larger than the buffers of two sockets. */
const LARGE = randomBytes(48_000_000);
const LARGE_ID = fileIdOf('MediaDomain', 'Media/long.m4v');
let served: Served, folders: Awaited<ReturnType<typeof phoneFolders>>, phone: PhoneClient;

beforeAll(async () => {
  folders = await phoneFolders(26, [
    { domain: 'MediaDomain', path: 'Media/long.m4v', content: LARGE },
    { domain: 'AppDomain-com.example', path: 'Documents/\u202egpj.exe', content: 'MZ' },
  ]);
  served = await serve({ env: folders.env });
  phone = phoneClient(served.backupsUrl);
  await phone.get('/backups');
});
afterAll(async () => {
  await served.remove();
  folders.remove();
});

describe('two copies of one phone', () => {
  it('are two backups, and the one that was there keeps its id', async () => {
    await folders.add({
      name: join('Archiv', PLAIN),
      folder: '',
      entries: [{ domain: 'HomeDomain', path: 'Library/notiz.txt', content: 'eine ältere Notiz' }],
    });
    const { body } = await phone.post('/backups/refresh');
    expect(body.backups.map((each: Record<string, string>) => [each.id, each.ios_identifier])).toEqual([
      [ENCRYPTED, ENCRYPTED],
      [PLAIN, PLAIN],
      [`${PLAIN} (Archiv)`, PLAIN],
    ]);
    const read = async (id: string): Promise<string> => {
      const at = encodeURIComponent(id);
      const file = `/backups/${at}/file/${fileIdOf('HomeDomain', 'Library/notiz.txt')}`;
      return (await phone.get(file, await phone.unlock(at))).bytes.toString();
    };
    expect([await read(PLAIN), await read(`${PLAIN} (Archiv)`)]).toEqual(['eine Notiz', 'eine ältere Notiz']);
    rmSync(join(folders.base, 'Archiv'), { recursive: true });
    await phone.post('/backups/refresh');
    expect((await phone.call('DELETE', `/backups/${encodeURIComponent(`${PLAIN} (Archiv)`)}`)).status).toBe(204);
  });
});

describe('a file of a backup', () => {
  let session: string;
  beforeAll(async () => {
    session = await phone.unlock(ENCRYPTED);
  });

  it('sends the first bytes of a file while the rest is still encrypted, and writes none of it to disk', async () => {
    // Nobody reads on: the service stops at what the sockets hold, far less than the file.
    const address = `${served.backupsUrl}/backups/${ENCRYPTED}/file/${LARGE_ID}`;
    const headers = { 'X-API-Token': TOKEN, 'X-Backup-Session': session };
    const paused = await new Promise<IncomingMessage>((resolve, reject) => {
      get(address, { headers }, (response) => {
        response.pause();
        resolve(response);
      }).on('error', reject);
    });
    expect([paused.statusCode, paused.headers['content-length']]).toEqual([200, String(LARGE.length)]);
    expect(folders.decrypted()).toEqual([]);
    // Locking the backup ends what was not sent yet: it is not anywhere else.
    await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, session);
    const chunks: Buffer[] = [];
    paused.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => {
      paused
        .once('close', resolve)
        .on('error', () => undefined)
        .resume();
    });
    const sent = Buffer.concat(chunks);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(LARGE.length);
    expect(sent.equals(LARGE.subarray(0, sent.length))).toBe(true);
    session = await phone.unlock(ENCRYPTED);
    expect((await phone.get(`/backups/${ENCRYPTED}/file/${LARGE_ID}`, session)).bytes.equals(LARGE)).toBe(true);
  });

  it('removes marks of direction from names, which disguise their ending', async () => {
    const id = fileIdOf('AppDomain-com.example', 'Documents/\u202egpj.exe');
    const { headers } = await phone.get(`/backups/${ENCRYPTED}/file/${id}`, session);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="gpj.exe"; filename*=UTF-8''gpj.exe`);
  });

  it('continues after downloads that were cut off', async () => {
    await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        const abort = new AbortController();
        const response = await fetch(`${served.backupsUrl}/backups/${ENCRYPTED}/file/${LARGE_ID}`, {
          headers: { 'X-API-Token': TOKEN, 'X-Backup-Session': session },
          signal: abort.signal,
        });
        if (i % 2 === 0) await response.body?.getReader().read();
        abort.abort();
      }).map((download) => download.catch(() => undefined)),
    );
    expect((await phone.get(`/backups/${ENCRYPTED}/domains`, session)).status).toBe(200);
  });
});
