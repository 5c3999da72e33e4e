import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { itWith } from '../../../../test/support/requirements.ts';
import { nodeBackupFiles, threadBackupFiles } from './files.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 251));
mkdirSync(join(root, 'phone/ab'), { recursive: true });
writeFileSync(join(root, 'phone/ab/whole'), bytes);
writeFileSync(join(root, 'secret'), 'not of this backup');

describe.each([
  ['for the program', nodeBackupFiles],
  ['for a thread of its own', threadBackupFiles],
])('files of a backup, %s', (_, filesOf) => {
  const files = filesOf(join(root, 'phone'));

  it('are read from any offset to their end, also into reused memory', async () => {
    for (const [start, end] of [
      [0, 10],
      [999_990, 2_000_000],
      [5, 600_005],
      [1_000_000, 1_000_100],
      [2_000_000, 2_000_001],
    ] as const) {
      const read = await files.readRange('ab/whole', start, end);
      expect(bytes.subarray(start, end).equals(read)).toBe(true);
      files.release?.(read);
    }
  });

  it('stay open for many reads until they are closed', async () => {
    const file = await files.open?.('ab/whole');
    for (const [start, end] of [
      [0, 10],
      [5, 600_005],
      [999_990, 2_000_000],
    ] as const)
      expect(bytes.subarray(start, end).equals(await file!.readRange(start, end))).toBe(true);
    await file?.close();
    await expect(file?.readRange(0, 10)).rejects.toThrow();
  });

  it('are rejected for a path outside, to a folder or to nothing', async () => {
    for (const path of [
      '../secret',
      'ab/../../secret',
      '/etc/hostname',
      'ab',
      'none',
      'ab/none',
      'none/whole',
      '',
      '.',
      'ab/whole/more',
      'ab\\whole',
      'ab/wh\0ole',
    ]) {
      await expect(files.readRange(path, 0, 10), path).rejects.toThrow();
      await expect(files.open?.(path), path).rejects.toThrow();
    }
  });

  itWith(
    { programs: ['mkfifo'], symlinks: true },
    'are none behind links and pipes, which nobody waits for',
    async () => {
      const folder = mkdtempSync(join(root, 'linked-')),
        linked = filesOf(folder);
      mkdirSync(join(folder, 'ab'));
      symlinkSync(join(root, 'secret'), join(folder, 'ab/link'));
      symlinkSync(join(root, 'phone/ab'), join(folder, 'cd'));
      expect(spawnSync('mkfifo', [join(folder, 'ab/pipe')]).status).toBe(0);
      for (const path of ['ab/link', 'cd/whole', 'ab/pipe']) {
        await expect(linked.readRange(path, 0, 10), path).rejects.toThrow();
        await expect(linked.open?.(path), path).rejects.toThrow();
        expect(await linked.size(path)).toBeNull();
      }
    },
  );
});
