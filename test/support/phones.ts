import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Release } from '../fixtures/ios-backup/artifacts/phone-files.ts';
import { phoneEntries } from '../fixtures/ios-backup/artifacts/phone.ts';
import { generateBackup, type BackupSpec, type EntrySpec } from '../fixtures/ios-backup/generate.ts';

export const TOKEN = 'a token for tests';
export const BACKUP_PASSWORD = 'Schlüssel zum Telefon';
export const ENCRYPTED = '00008110-000A1B2C3D4E5F60';
export const PLAIN = 'plain-phone';

// Bodies are looked at as they come; the contract walk checks their shapes.
type Json = any; // oxlint-disable-line typescript/no-explicit-any
export interface PhoneAnswer {
  status: number;
  body: Json;
  bytes: Buffer;
  headers: Headers;
}

/** A client with the API token, and a session where one is given. */
export function phoneClient(url: string, token: string | null = TOKEN) {
  const call = async (
    method: string,
    path: string,
    {
      session,
      body,
      headers = {},
      signal,
    }: { session?: string | undefined; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<PhoneAnswer> => {
    const response = await fetch(url + path, {
      method,
      ...(signal && { signal }),
      headers: {
        ...(token !== null && { 'X-API-Token': token }),
        ...(session !== undefined && { 'X-Backup-Session': session }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      body: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(bytes.toString()) : null,
      bytes,
      headers: response.headers,
    };
  };
  return {
    call,
    get: (path: string, session?: string, headers?: Record<string, string>) =>
      call('GET', path, { session, ...(headers && { headers }) }),
    post: (path: string, body?: unknown, session?: string) => call('POST', path, { session, body }),
    async unlock(id: string, password = BACKUP_PASSWORD): Promise<string> {
      const { status, body } = await call('POST', `/backups/${id}/unlock`, { body: { password } });
      if (status !== 200) throw new Error(`unlock answered ${status}: ${JSON.stringify(body)}`);
      return body.session_token as string;
    },
    /** Indexes, waits, and returns the finished job. */
    async index(id: string, session: string, body: unknown = {}): Promise<Json> {
      await call('POST', `/backups/${id}/index`, { session, body });
      for (let tries = 0; tries < 600; tries += 1) {
        const { body: job } = await call('GET', `/backups/${id}/index`);
        if (!['queued', 'running'].includes(job.status as string)) return job;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error('still indexing after 30 s');
    },
  };
}
export type PhoneClient = ReturnType<typeof phoneClient>;

/** A folder of backups as Finder leaves it, and one for extraction. */
export async function phoneFolders(
  release: Release = 26,
  more: EntrySpec[] = [],
): Promise<{
  base: string;
  temp: string;
  env: Record<string, string>;
  add(spec: BackupSpec & { name: string }): Promise<void>;
  decrypted(): string[];
  remove(): void;
}> {
  const root = mkdtempSync(join(tmpdir(), 'hearth-phones-'));
  const base = join(root, 'Backup'),
    temp = join(root, 'temp');
  mkdirSync(base);
  const add = ({ name, ...spec }: BackupSpec & { name: string }): Promise<void> =>
    generateBackup({ ...spec, folder: join(base, name) });
  await add({
    name: ENCRYPTED,
    folder: '',
    entries: [...phoneEntries(root, release), ...more],
    keybag: { password: BACKUP_PASSWORD, firstRounds: 20 },
    info: { 'Display Name': 'Telefon von Elena' },
  });
  await add({
    name: join('Familie', PLAIN),
    folder: '',
    entries: [{ domain: 'HomeDomain', path: 'Library/notiz.txt', content: 'eine Notiz' }],
  });
  return {
    base,
    temp,
    add,
    env: { BACKUP_PATHS__BASE_PATH: base, BACKUP_PATHS__TEMP_PATH: temp, SECURITY__API_TOKEN: TOKEN },
    /** Decrypted files on disk, by their path in the temporary folder. */
    decrypted: () =>
      existsSync(temp)
        ? readdirSync(temp, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map(({ name }) => name)
        : [],
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
