import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CORE_BUNDLE } from '../../scripts/core-bundle.ts';
import { Client } from '../support/client.ts';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { letter } from '../support/sample-documents.ts';
import { ENCRYPTED, BACKUP_PASSWORD, phoneClient, phoneFolders, TOKEN } from '../support/phones.ts';
import { hasRequirements } from '../support/requirements.ts';
import { serve, type Served } from '../support/serve.ts';
import { LONG } from '../support/long.ts';

const hasStrace = hasRequirements('the trace of a browsed phone', { programs: ['strace'] });
/** Calls that change the file system; opening counts when it is for writing. */
const WRITING_CALLS = [
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat', 'rename', 'renameat', 'renameat2'],
  ...['unlink', 'unlinkat', 'rmdir', 'link', 'linkat', 'symlink', 'symlinkat', 'truncate', 'chmod', 'fchmodat'],
  ...['chown', 'fchownat', 'utimensat', 'mknod', 'mknodat', 'setxattr'],
];
const WRITING = new RegExp(`^(${WRITING_CALLS.join('|')})\\(`);

let served: Served,
  folders: Awaited<ReturnType<typeof phoneFolders>>,
  log = '';
const work = mkdtempSync(join(tmpdir(), 'hearth-strace-'));

beforeAll(async () => {
  const paper = await letter([[{ text: 'Laborbefund vom Hausarzt', y: 700 }]]);
  folders = await phoneFolders(26, [
    { domain: 'MediaDomain', path: 'Befunde/Labor.pdf', content: paper },
    { domain: 'MediaDomain', path: 'film.mov', content: Buffer.alloc(8_000_000, 'frame') },
    { domain: 'MediaDomain', path: 'leer.txt', content: '' },
  ]);
  if (!hasStrace) return;
  log = join(work, 'trace');
  const temp = join(work, 'temp');
  mkdirSync(temp);
  served = await serve({
    // Its own temporary folder: a program removes there what a killed one left, as those of other tests do.
    env: { ...folders.env, TMPDIR: temp, VAULT_PIPELINE_WATCH: 'false' },
    through: ['strace', '-f', '-qq', '-y', '-s', '300', '-e', 'trace=%file', '-e', 'signal=none', '-o', log],
  });
});
afterAll(async () => {
  await served?.remove();
  folders.remove();
  rmSync(work, { recursive: true, force: true });
});

/** Everything of a folder, to the byte and the minute. */
const stateOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs, mode, size } = statSync(path);
      return [
        path,
        mtimeMs,
        mode,
        size,
        entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '',
      ].join(' ');
    })
    .sort();

/** Paths that a trace shows as written, outside `allowed`. */
function writesOutside(trace: string, allowed: readonly string[]): string[] {
  return trace
    .split('\n')
    .map((line) => line.replace(/^\d+\s+/, ''))
    .filter((line) => WRITING.test(line) && !/ = -1 /.test(line))
    .filter((line) => !/^(open|openat|openat2)\(/.test(line) || /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(line))
    .filter((line) => {
      const paths = [...line.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
      return !paths.every(
        (path) =>
          path.startsWith('/dev/') ||
          path.startsWith('/proc/') ||
          allowed.some((folder) => path === folder || path.startsWith(`${folder}/`)),
      );
    });
}

describe('browsing a phone', () => {
  it('recognizes writing calls in a trace', () => {
    const trace =
      '12 openat(AT_FDCWD, "/home/me/a", O_WRONLY|O_CREAT, 0600) = 3\n12 openat(AT_FDCWD, ' +
      '"/home/me/b", O_RDONLY) = 3\n12 unlink("/vault/x") = 0\n12 mkdir("/home/me/c", 0700) = -1 ' +
      'EEXIST (File exists)\n12 rename("/vault/x", "/home/me/d") = 0';
    expect(writesOutside(trace, ['/vault'])).toEqual([
      'openat(AT_FDCWD, "/home/me/a", O_WRONLY|O_CREAT, 0600) = 3',
      'rename("/vault/x", "/home/me/d") = 0',
    ]);
  });

  it.skipIf(!hasStrace)(
    'writes only to its sandbox and the folders of the application, and leaves the backup unchanged',
    LONG,
    async () => {
      const before = stateOf(folders.base);
      const phone = phoneClient(served.backupsUrl),
        at = `/backups/${ENCRYPTED}`,
        answered = async (path: string, session: string, headers?: Record<string, string>): Promise<number> =>
          (await phone.get(`${at}${path}`, session, headers)).status;
      // Found, tried with the wrong password, opened, listed.
      await phone.get('/backups');
      await phone.post('/backups/refresh');
      await phone.post(`${at}/unlock`, { password: 'wrong' });
      const session = await phone.unlock(ENCRYPTED);
      expect(await answered('/domains', session)).toBe(200);
      const { items } = (await phone.get(`${at}/files?limit=1000`, session)).body as {
        items: { file_id: string; kind: string }[];
      };
      // Every file: previews ask for ranges, downloads for the whole; some break off.
      for (const { file_id, kind } of items) {
        expect(await answered(`/file/${file_id}`, session, { Range: 'bytes=0-65535' })).toBeLessThan(
          kind === 'file' ? 500 : 405,
        );
        expect(await answered(`/file/${file_id}`, session)).toBeLessThan(kind === 'file' ? 500 : 405);
      }
      await Promise.all(
        [1, 2, 3].map(async () => {
          const away = new AbortController(),
            film = await fetch(`${served.backupsUrl}${at}/file/${fileIdOf('MediaDomain', 'film.mov')}`, {
              headers: { 'X-API-Token': TOKEN, 'X-Backup-Session': session },
              signal: away.signal,
            });
          await film.body?.getReader().read();
          away.abort();
        }),
      );
      // Checked, indexed, searched, and every list of artifacts.
      expect((await phone.post(`${at}/integrity`, undefined, session)).status).toBe(202);
      await expect.poll(async () => (await phone.get(`${at}/integrity`, session)).body.status).toBe('done');
      expect((await phone.index(ENCRYPTED, session)).status).toBe('done');
      for (const list of [
        'search?q=Befund',
        'messages/conversations',
        'whatsapp/chats',
        'photos',
        'photos/albums',
        'notes',
        'calendars',
        'contacts',
        'calls',
        'safari/history',
        'health',
        'health/types',
        'medications',
        'apps',
        'accounts',
      ])
        expect([list, await answered(`/artifacts/${list}`, session)]).toEqual([list, 200]);
      expect(await answered('/suggestions', session)).toBe(200);
      // Sent to the vault, through the door of the page, and read there.
      const ann = new Client(served.url);
      await ann.setup();
      const mine = (await ann.post(`/api/phone${at}/unlock`, { password: BACKUP_PASSWORD })).body
        .session_token as string;
      const sent = await ann.post('/api/phone-service/send', {
        backup_id: ENCRYPTED,
        session_token: mine,
        patient_id: 1,
        items: [{ file_id: fileIdOf('MediaDomain', 'Befunde/Labor.pdf') }],
      });
      expect(sent.body.items).toMatchObject([{ status: 'pending' }]);
      expect(
        (
          await ann.post('/api/phone-service/send-health', {
            backup_id: ENCRYPTED,
            patient_id: 1,
            types: ['body_mass'],
          })
        ).status,
      ).toBeLessThan(500);
      await ann.idle();
      await phone.post(`${at}/lock`, undefined, mine);
      await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, session);
      const config = join(tmpdir(), `hearth-test-config-${process.getuid?.() ?? ''}`);
      // The tracer would let go of the program; it ends when the program does.
      const tracer = served.process;
      const ended = new Promise((resolve) => tracer.once('exit', resolve));
      process.kill(
        Number(readFileSync(`/proc/${tracer.pid}/task/${tracer.pid}/children`, 'utf8').trim().split(' ')[0]),
        'SIGTERM',
      );
      await ended;
      const trace = readFileSync(log, 'utf8');
      expect(trace.split('\n').length).toBeGreaterThan(1000);
      expect(trace).toContain(join(folders.temp, 'hearth-phone-'));
      expect(/mkdir(at)?\(.*\/open-\w+"/.test(trace)).toBe(true);
      expect(trace).toContain(`${served.vault}/`);
      expect(writesOutside(trace, [served.vault, folders.temp, config, join(CORE_BUNDLE, 'compiled')])).toEqual([]);
      expect(stateOf(folders.base)).toEqual(before);
      expect(readdirSync(folders.temp)).toEqual([]);
      // Only the index that the user requested holds the phone's texts: no temporary file, and nothing else in the vault.
      execFileSync('rm', ['-rf', join(served.vault, 'cache', 'phone')]);
      expect(spawnSync('grep', ['-rl', 'hier der Befund', served.vault, folders.temp]).stdout.toString()).toBe('');
    },
  );
});
