import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileIdOf } from '../fixtures/ios-backup/generate.ts';
import { ENCRYPTED, phoneClient, phoneFolders } from '../support/phones.ts';
import { serve, type Served } from '../support/serve.ts';

/** Calls that change the file system; opening counts when it is for writing. */
const WRITING = /^(open|openat|creat|mkdir|mkdirat|rename|renameat|renameat2|unlink|unlinkat|rmdir|link|linkat|symlink|symlinkat|truncate|chmod|fchmodat|chown|fchownat|utimensat|mknod|mknodat|setxattr)\(/;
const HAS_STRACE = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;

let served: Served, folders: Awaited<ReturnType<typeof phoneFolders>>, log = '';
const work = mkdtempSync(join(tmpdir(), 'hearth-strace-'));

beforeAll(async () => {
  folders = await phoneFolders();
  if (!HAS_STRACE) return;
  log = join(work, 'trace');
  served = await serve({ env: folders.env, through: ['strace', '-f', '-qq', '-y', '-s', '300', '-e', 'trace=%file', '-e', 'signal=none', '-o', log] });
});
afterAll(async () => {
  await served?.remove();
  folders.remove();
  rmSync(work, { recursive: true, force: true });
});

/** Everything of a folder, to the byte and the minute. */
const stateOf = (folder: string): string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
  const path = join(entry.parentPath, entry.name);
  const { mtimeMs, mode, size } = statSync(path);
  return [path, mtimeMs, mode, size, entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''].join(' ');
}).sort();

/** Paths that a trace shows as written, outside `allowed`. */
function writesOutside(trace: string, allowed: readonly string[]): string[] {
  return trace.split('\n').map((line) => line.replace(/^\d+\s+/, '')).filter((line) => WRITING.test(line) && !/ = -1 /.test(line))
    .filter((line) => !/^(open|openat)\(/.test(line) || /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(line))
    .filter((line) => {
      const paths = [...line.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
      return !paths.every((path) => path.startsWith('/dev/') || path.startsWith('/proc/') || allowed.some((folder) => path === folder || path.startsWith(`${folder}/`)));
    });
}

describe('browsing a phone', () => {
  it('knows a write when it sees one', () => {
    const trace = '12 openat(AT_FDCWD, "/home/me/a", O_WRONLY|O_CREAT, 0600) = 3\n12 openat(AT_FDCWD, "/home/me/b", O_RDONLY) = 3\n12 unlink("/vault/x") = 0\n12 mkdir("/home/me/c", 0700) = -1 EEXIST (File exists)\n12 rename("/vault/x", "/home/me/d") = 0';
    expect(writesOutside(trace, ['/vault'])).toEqual(['openat(AT_FDCWD, "/home/me/a", O_WRONLY|O_CREAT, 0600) = 3', 'rename("/vault/x", "/home/me/d") = 0']);
  });

  it.skipIf(!HAS_STRACE)('writes nothing outside its sandbox and the folders of the application, and leaves the backup as it was', async () => {
    const before = stateOf(folders.base);
    const phone = phoneClient(served.backupsUrl);
    await phone.get('/backups');
    await phone.post('/backups/refresh');
    await phone.post(`/backups/${ENCRYPTED}/unlock`, { password: 'wrong' });
    const session = await phone.unlock(ENCRYPTED);
    await phone.get(`/backups/${ENCRYPTED}/domains`, session);
    await phone.get(`/backups/${ENCRYPTED}/files?path_like=%25.pdf`, session);
    for (const [domain, path] of [['HomeDomain', 'Library/SMS/sms.db'], ['MediaDomain', 'Library/SMS/Attachments/ab/11/Befund.pdf']] as const) {
      expect((await phone.get(`/backups/${ENCRYPTED}/file/${fileIdOf(domain, path)}`, session)).status).toBe(200);
      expect((await phone.get(`/backups/${ENCRYPTED}/file/${fileIdOf(domain, path)}`, session, { Range: 'bytes=2-9' })).status).toBe(206);
    }
    expect((await phone.index(ENCRYPTED, session)).status).toBe('done');
    expect((await phone.get(`/backups/${ENCRYPTED}/artifacts/search?q=Befund`)).status).toBe(200);
    await phone.get(`/backups/${ENCRYPTED}/suggestions`, session);
    await phone.post(`/backups/${ENCRYPTED}/lock`, undefined, session);
    const config = join(tmpdir(), `hearth-test-config-${process.getuid?.() ?? ''}`);
    // The tracer would let go of the program; it ends when the program does.
    const tracer = served.process;
    const ended = new Promise((resolve) => tracer.once('exit', resolve));
    process.kill(Number(readFileSync(`/proc/${tracer.pid}/task/${tracer.pid}/children`, 'utf8').trim().split(' ')[0]), 'SIGTERM');
    await ended;
    const trace = readFileSync(log, 'utf8');
    expect(trace.split('\n').length).toBeGreaterThan(1000);
    expect(trace).toContain(folders.temp);
    expect(writesOutside(trace, [served.vault, folders.temp, config])).toEqual([]);
    expect(stateOf(folders.base)).toEqual(before);
    expect(readdirSync(folders.temp)).toEqual([]);
    // Nothing of the phone lies about: not in the temporary files, not in the vault but in the index that was asked for.
    execFileSync('rm', ['-rf', join(served.vault, 'cache', 'phone')]);
    expect(spawnSync('grep', ['-rl', 'hier der Befund', served.vault, folders.temp]).stdout.toString()).toBe('');
  });
});
