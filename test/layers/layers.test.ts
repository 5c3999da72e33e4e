import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lint, lintEach, ROOT, type Violation } from '../support/lint.ts';

const use = (specifier: string): string => `import { thing } from '${specifier}';\nexport const used = thing;\n`;

const LAYERS = 'layers import downwards only';
const CLOCK = 'time and randomness are passed in';

describe('each rule rejects violations', () => {
  const violations: Violation[] = [
    [
      'shared code imports main',
      'src-shared/medical/a.ts',
      use('../../src-main/platform/vault/paths.ts'),
      'src-shared runs in Node, browser and worker',
    ],
    [
      'shared code imports Node',
      'src-shared/contract/a.ts',
      use('node:fs'),
      'src-shared runs in Node, browser and worker',
    ],
    [
      'the renderer imports main',
      'src-renderer/app/a.ts',
      use('../../src-main/features/documents/service.ts'),
      'the renderer knows main only through',
    ],
    [
      'the core imports electron',
      'src-main/features/documents/a.ts',
      use('electron'),
      'the core runs without Electron',
    ],
    ['platform imports a feature', 'src-main/platform/vault/a.ts', use('../../features/trash/service.ts'), LAYERS],
    ['platform imports the reader', 'src-main/platform/vault/a.ts', use('../../reading/pipeline/queue.ts'), LAYERS],
    ['the reader imports a feature', 'src-main/reading/pipeline/a.ts', use('../../features/names/service.ts'), LAYERS],
    ['a feature imports the app', 'src-main/features/trash/a.ts', use('../../app/core.ts'), LAYERS],
    [
      'a feature imports the app by type only',
      'src-main/features/trash/a.ts',
      "import type { Core } from '../../app/core.ts';\nexport type Used = Core;\n",
      LAYERS,
    ],
    ['client code imports a screen', 'src-renderer/client/a.ts', use('../features/labs/queries.ts'), LAYERS],
    ['a primitive imports the client', 'src-renderer/ui/a.ts', use('../client/api.ts'), LAYERS],
    ['a screen imports the frame', 'src-renderer/features/today/a.ts', use('../../app/routes.tsx'), LAYERS],
    [
      'a feature reaches into another',
      'src-main/features/trash/a.ts',
      use('../documents/write-repository.ts'),
      'a feature is entered through its service.ts',
    ],
    [
      'a feature that no list knows is reached into',
      'src-main/features/trash/a.ts',
      use('../brand-new/store.ts'),
      'a feature is entered through its service.ts',
    ],
    [
      'a service reads tables',
      'src-main/features/documents/a.ts',
      use('../../platform/database/schema/index.ts'),
      'tables are read and written by repositories',
    ],
    [
      'shared code imports Node without its prefix',
      'src-shared/medical/a.ts',
      use('fs'),
      'src-shared runs in Node, browser and worker',
    ],
    [
      'the renderer imports Node without its prefix',
      'src-renderer/app/a.ts',
      use('fs'),
      'the renderer knows main only',
    ],
    [
      'a service runs a program without the prefix',
      'src-main/features/documents/a.ts',
      use('child_process'),
      'programs are run by kernel/run-program.ts',
    ],
    [
      'a template literal imports the app',
      'src-main/features/trash/a.ts',
      'export const used = import(`../../app/core.ts`);\n',
      LAYERS,
    ],
    [
      'a template literal with a value imports the app',
      'src-main/features/trash/a.ts',
      'export const used = (name: string) => import(`../../app/${name}.ts`);\n',
      LAYERS,
    ],
    [
      'the app is resolved',
      'src-main/features/trash/a.ts',
      "export const used = import.meta.resolve('../../app/core.ts');\n",
      LAYERS,
    ],
    [
      'the app is required',
      'src-main/features/trash/a.ts',
      "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n" +
        "export const used = require('../../app/core.ts');\n",
      LAYERS,
    ],
    [
      'a screen imports all files of another one',
      'src-renderer/features/labs/a.ts',
      "export const used = import.meta.glob(['./a.ts', '../documents/*.ts']);\n",
      'features do not know each other',
    ],
    [
      'a type position imports the app',
      'src-main/features/trash/a.ts',
      "export type Used = import('../../app/core.ts').Core;\n",
      LAYERS,
    ],
    [
      'a type query imports the app',
      'src-main/features/trash/a.ts',
      "export type Used = typeof import('../../app/core.ts');\n",
      LAYERS,
    ],
    [
      'a worker script is in a layer above',
      'src-main/platform/vault/a.ts',
      "export const script = new URL('../../features/trash/thread.ts', import.meta.url);\n",
      LAYERS,
    ],
    [
      'main has a folder that is not a layer',
      'src-main/helpers/a.ts',
      'export const a = 1;\n',
      'src-main/helpers/ is outside the layers',
    ],
    [
      'the renderer has a folder that is not a layer',
      'src-renderer/helpers/a.ts',
      'export const a = 1;\n',
      'src-renderer/helpers/ is outside the layers',
    ],
    [
      'shared code has a folder that is not a layer',
      'src-shared/helpers/a.ts',
      'export const a = 1;\n',
      'src-shared/helpers/ is outside the layers',
    ],
    ['shared code imports upwards', 'src-shared/medical/a.ts', use('../contract/errors.ts'), LAYERS],
    ['a feature imports Express', 'src-main/features/patients/a.ts', use('express'), 'HTTP ends in platform/http/'],
    ['a service runs SQL', 'src-main/features/patients/a.ts', use('better-sqlite3'), 'SQL belongs in repositories'],
    [
      'a service runs SQL on a database that it was given',
      'src-main/features/patients/a.ts',
      "import type { Database } from '../../platform/database/connection.ts';\n" +
        "export const f = (deps: { db: Database }): unknown => deps.db.prepare('SELECT 1').get();\n",
      'SQL belongs in repositories',
    ],
    ['a stage reads files', 'src-main/reading/pipeline/stages/a.ts', use('node:fs'), 'rules and stages are pure'],
    [
      'the rules reach for the vault',
      'src-main/reading/extraction/a.ts',
      use('../../platform/vault/paths.ts'),
      'rules and stages are pure',
    ],
    [
      'a feature goes around the entry of the phone backup library',
      'src-main/features/phone-backups/a.ts',
      use('../../../src-shared/ios-backup/manifest/keybag.ts'),
      'phone backups are read through src-shared/ios-backup/index.ts',
    ],
    [
      'production code needs tests',
      'src-main/platform/kernel/a.ts',
      use('../../../test/fakes/llm.ts'),
      'production code must not need the tests',
    ],
    [
      'a service decodes an image',
      'src-main/features/documents/a.ts',
      use('sharp'),
      'are decoded in reading/providers/',
    ],
    [
      'a service runs a program',
      'src-main/features/documents/a.ts',
      use('node:child_process'),
      'programs are run by kernel/run-program.ts',
    ],
    [
      'another feature speaks OpenID Connect',
      'src-main/features/auth/a.ts',
      use('openid-client'),
      'OpenID Connect is spoken in features/oidc/',
    ],
    [
      'another feature hashes passwords',
      'src-main/features/patients/a.ts',
      use('@node-rs/argon2'),
      'passwords are hashed in auth',
    ],
    ['a test imports a test', 'test/api/a.ts', use('./b.test.ts'), 'tests do not import each other'],
    [
      'main imports the renderer',
      'src-main/features/documents/a.ts',
      use('../../../src-renderer/client/api.ts'),
      'main does not know its window',
    ],
    [
      'a screen imports another',
      'src-renderer/features/today/a.ts',
      use('../documents/list/table.ts'),
      'features do not know each other',
    ],
    [
      'a file is written outside the vault',
      'src-main/features/documents/a.ts',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('a', 'b');\n",
      'writes a file where none is written',
    ],
    [
      'a file is written by a function with another name',
      'src-main/features/documents/a.ts',
      "import { writeFile as put } from 'node:fs/promises';\nawait put('a', 'b');\n",
      'writes a file where none is written',
    ],
    [
      'a file is written by way of the whole module',
      'src-main/features/documents/a.ts',
      "import * as files from 'fs/promises';\nawait files.writeFile('a', 'b');\n",
      'writes a file where none is written',
    ],
    [
      'a feature declares a schema of the wire',
      'src-main/features/documents/a.ts',
      "import { z } from 'zod';\nexport const body = z.object({ name: z.string() });\n",
      'schemas of the wire are declared once',
    ],
    ['the clock is read', 'src-main/features/documents/a.ts', 'export const now = Date.now();\n', CLOCK],
    ['the clock is read by new Date', 'src-shared/medical/a.ts', 'export const now = new Date();\n', 'reads the clock'],
    ['randomness is read', 'src-main/features/auth/a.ts', 'export const id = Math.random();\n', CLOCK],
    ['the console is used', 'src-main/features/auth/a.ts', "console.log('x');\n", 'write to the log'],
    [
      'the environment is read',
      'src-main/features/auth/a.ts',
      'export const home = process.env.HOME;\n',
      'the environment is read in config/load.ts',
    ],
  ];
  const reports = lintEach(violations);
  it.each(violations)('%s', (name, _path, _text, why) => expect(reports().get(name)).toContain(why));

  it.each([
    ['of values', 'import', (name: string) => `() => ${name}`],
    ['of types', 'import type', (name: string) => `null as unknown as typeof ${name}`],
  ])('finds a cycle %s', (_name, keyword, value) => {
    const { code, output } = lint({
      'src-main/platform/kernel/a.ts': `${keyword} { b } from './b.ts';\nexport const a = ${value('b')};\n`,
      'src-main/platform/kernel/b.ts': `${keyword} { a } from './a.ts';\nexport const b = ${value('a')};\n`,
    });
    expect(output).toContain('import(no-cycle)');
    expect(code).not.toBe(0);
  });

  it.each([
    ['a nested ternary', 'export const a = (n: number) => (n > 1 ? 2 : n > 0 ? 1 : 0);\n', 'no-nested-ternary'],
    [
      'a translated idiom in a comment',
      '// What is asked stands in the table.\nexport const a = 1;\n',
      'reads as translated',
    ],
  ])('rejects %s', (_name, text, why) => {
    const { code, output } = lint({ 'src-main/platform/kernel/a.ts': text });
    expect(output).toContain(why);
    expect(code).not.toBe(0);
  });

  it('allows a feature the service of another, and a layer those below', () => {
    const { code, output } = lint({
      'src-main/features/trash/service.ts':
        "import type { Documents } from '../documents/service.ts';\nexport type Known = Documents;\n",
      'src-main/features/trash/a.ts': use('../../reading/pipeline/queue.ts'),
      'src-renderer/app/a.ts': use('../features/labs/page.tsx'),
      'src-renderer/features/labs/a.ts': use('../../client/api.ts'),
    });
    expect(output).toBe('');
    expect(code).toBe(0);
  });
});

it('no folder is outside the layers', () => {
  const folders = (area: string): string[] =>
    readdirSync(join(ROOT, area), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'public')
      .map(({ name }) => name)
      .sort();
  expect(folders('src-main')).toEqual(['app', 'features', 'platform', 'reading']);
  expect(folders('src-renderer')).toEqual(['app', 'client', 'features', 'locales', 'ui']);
});
