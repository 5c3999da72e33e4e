import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'hearth-walls-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
  cpSync(join(ROOT, 'scripts'), join(tree, 'scripts'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

function lint(files: Record<string, string>): { code: number | null; output: string } {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const { status, stdout, stderr } = spawnSync(
    join(ROOT, 'node_modules/.bin/oxlint'),
    ['-f', 'unix', ...Object.keys(files)],
    { cwd: tree, encoding: 'utf8' },
  );
  return { code: status, output: stdout + stderr };
}

const use = (specifier: string): string => `import { thing } from '${specifier}';\nexport const used = thing;\n`;

describe('each wall stops what must not pass', () => {
  it.each([
    [
      'shared imports main',
      'src-shared/medical/a.ts',
      use('../../src-main/vault/paths.ts'),
      'src-shared runs in Node, browser and worker',
    ],
    ['shared imports Node', 'src-shared/contract/a.ts', use('node:fs'), 'src-shared runs in Node, browser and worker'],
    [
      'renderer imports main',
      'src-renderer/app/a.ts',
      use('../../src-main/documents/service.ts'),
      'the renderer knows main only through',
    ],
    ['core imports electron', 'src-main/documents/a.ts', use('electron'), 'the core runs without Electron'],
    [
      'a feature reaches into another',
      'src-main/trash/a.ts',
      use('../documents/write-repository.ts'),
      'a feature is entered through its service.ts',
    ],
    [
      'a service reads tables',
      'src-main/documents/a.ts',
      use('../database/schema/index.ts'),
      'tables are read and written by repositories',
    ],
    ['a feature speaks Express', 'src-main/patients/a.ts', use('express'), 'HTTP ends in http/'],
    ['a service speaks SQL', 'src-main/patients/a.ts', use('better-sqlite3'), 'SQL stands in repositories'],
    ['a stage reads files', 'src-main/pipeline/stages/a.ts', use('node:fs'), 'rules and stages are pure'],
    [
      'the reader reaches for the vault',
      'src-main/extraction/a.ts',
      use('../vault/paths.ts'),
      'rules and stages are pure',
    ],
    [
      'a feature goes around the door of the phone backup engine',
      'src-main/phone-backups/a.ts',
      use('../../src-shared/ios-backup/manifest/keybag.ts'),
      'phone backups are read through src-shared/ios-backup/index.ts',
    ],
    [
      'production needs tests',
      'src-main/kernel/a.ts',
      use('../../test/fakes/llm.ts'),
      'what ships must not need the tests',
    ],
    ['a service decodes a picture', 'src-main/documents/a.ts', use('sharp'), 'are decoded in providers/'],
    [
      'a service runs a program',
      'src-main/documents/a.ts',
      use('node:child_process'),
      'programs are run by kernel/run-program.ts',
    ],
    [
      'a feature speaks to a sign-in service',
      'src-main/auth/a.ts',
      use('openid-client'),
      'sign-in services are spoken to in oidc/',
    ],
    [
      'a newer feature is reached into',
      'src-main/trash/a.ts',
      use('../labs/repository.ts'),
      'a feature is entered through its service.ts',
    ],
    ['a feature hashes passwords', 'src-main/patients/a.ts', use('@node-rs/argon2'), 'passwords are hashed in auth'],
    ['a test leans on another', 'test/api/a.ts', use('./b.test.ts'), 'a test stands alone'],
    [
      'main reaches for the window',
      'src-main/documents/a.ts',
      use('../../src-renderer/app/api.ts'),
      'main does not know its window',
    ],
    [
      'a screen imports another',
      'src-renderer/features/today/a.ts',
      use('../documents/table.ts'),
      'features do not know each other',
    ],
    [
      'a write outside the vault',
      'src-main/documents/a.ts',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('a', 'b');\n",
      'writes a file outside the rooms that may',
    ],
    [
      'a feature declares a shape of the wire',
      'src-main/documents/a.ts',
      "import { z } from 'zod';\nexport const body = z.object({ name: z.string() });\n",
      'shapes on the wire are declared once',
    ],
    ['the clock is read', 'src-main/documents/a.ts', 'export const now = Date.now();\n', 'time and chance are given'],
    ['the clock is read by new Date', 'src-shared/medical/a.ts', 'export const now = new Date();\n', 'reads the clock'],
    ['chance is taken', 'src-main/auth/a.ts', 'export const id = Math.random();\n', 'time and chance are given'],
    ['the console is used', 'src-main/auth/a.ts', "console.log('x');\n", 'write to the log'],
    [
      'the environment is read',
      'src-main/auth/a.ts',
      'export const home = process.env.HOME;\n',
      'the environment is read in config/load.ts',
    ],
  ])('%s', (_name, path, text, why) => {
    const { code, output } = lint({ [path]: text });
    expect(output).toContain(why);
    expect(code).not.toBe(0);
  });

  it('finds a cycle', () => {
    const { code, output } = lint({
      'src-main/kernel/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
      'src-main/kernel/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    });
    expect(output).toContain('import(no-cycle)');
    expect(code).not.toBe(0);
  });

  it('lets through what is allowed', () => {
    const { code, output } = lint({
      'src-main/trash/service.ts':
        "import type { Documents } from '../documents/service.ts';\nexport type Known = Documents;\n",
    });
    expect(output).toBe('');
    expect(code).toBe(0);
  });
});

describe('the house itself', () => {
  it('holds the walls of every feature', () => {
    const listed =
      /const FEATURES = '([^']*)'/.exec(readFileSync(join(ROOT, 'scripts/house-rules.js'), 'utf8'))?.[1]?.split('|') ??
      [];
    // The vault is a room that all may enter by its parts.
    const features = readdirSync(join(ROOT, 'src-main')).filter(
      (name) => name !== 'vault' && existsSync(join(ROOT, 'src-main', name, 'service.ts')),
    );
    expect(
      features.filter((name) => !listed.includes(name)),
      'features that scripts/house-rules.js does not know',
    ).toEqual([]);
    expect(features.length).toBeGreaterThan(10);
  });

  it('looks at its files', () => {
    const output = execFileSync(
      join(ROOT, 'node_modules/.bin/oxlint'),
      ['src-shared', 'src-main', 'src-renderer', 'test', 'scripts'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect(Number(/on (\d+) files/.exec(output)?.[1])).toBeGreaterThan(200);
  });
});
