import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from './sandbox.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-sandbox-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a sandbox', () => {
  it('removes the folders of a crash, also of its own process number, and no others', () => {
    const parent = join(root, 'left'),
      ended = spawnSync(process.execPath, ['-e', '']).pid;
    const leave = (name: string): string => {
      const folder = join(parent, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'content'), 'decrypted');
      return folder;
    };
    const gone = [leave(`hearth-phone-${ended}-abc`), leave(`hearth-phone-${process.pid}-abc`)];
    const others = [leave(`hearth-phone-${process.ppid}-abc`), leave('hearth-phone-x-abc'), leave('something else')];
    createSandbox(parent);
    expect([...gone, ...others].map(existsSync)).toEqual([false, false, true, true, true]);
  });

  it('creates its folder on demand and removes only its own', async () => {
    const parent = join(root, 'new'),
      one = createSandbox(parent);
    expect(existsSync(parent)).toBe(false);
    const folder = one.make('file'),
      two = createSandbox(parent),
      other = two.make('file');
    expect([existsSync(folder), existsSync(other)]).toEqual([true, true]);
    await one.remove(folder);
    expect(existsSync(folder)).toBe(false);
    one.close();
    expect(existsSync(other)).toBe(true);
    two.close();
    expect(readdirSync(parent)).toEqual([]);
  });
});
