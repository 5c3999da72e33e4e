import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'hearth-layout-'));
  cpSync(join(ROOT, 'scripts'), join(tree, 'scripts'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

const use = (specifier: string): string => `import { thing } from '${specifier}';\nexport const used = thing;\n`;

describe('the layout report', () => {
  function report(files: Record<string, string>): { code: number | null; output: string } {
    execFileSync('git', ['init', '--quiet'], { cwd: tree });
    writeFileSync(join(tree, '.gitignore'), 'node_modules\nscripts\n');
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/layout.ts'], {
      cwd: tree,
      encoding: 'utf8',
    });
    return { code: status, output: stdout + stderr };
  }
  const thing = 'export const thing = 1;\n';

  it.each([
    ['a worker script', "export const script = new URL('./b.ts', import.meta.url);\n"],
    ['a type position', "export type Used = import('./b.ts').B;\n"],
    ['a type query', "export type Used = typeof import('./b.ts');\n"],
    ['a template literal', 'export const used = import(`./b.ts`);\n'],
  ])('finds a cycle through %s', (_name, text) => {
    const { code, output } = report({
      'src-main/platform/kernel/a.ts': text,
      'src-main/platform/kernel/b.ts': use('./a.ts'),
    });
    expect(output).toMatch(/cycles, types and lazy imports counted: 1\n.*[ab]\.ts <-> .*[ab]\.ts/);
    expect(code).toBe(1);
  });

  it('finds features that depend on each other, types counted', () => {
    const { code, output } = report({
      'src-main/features/names/service.ts': thing,
      'src-main/features/names/a.ts': "import type { B } from '../documents/service.ts';\nexport type A = B;\n",
      'src-main/features/documents/service.ts': thing,
      'src-main/features/documents/a.ts': use('../names/service.ts'),
    });
    expect(output).toContain('lazy imports counted: 0');
    expect(output).toMatch(/cycles of folders: 1\n.*features\/\w+ <-> .*features\/\w+/);
    expect(code).toBe(1);
  });

  it.each(['firmware/web/page.html', 'test/fixtures/a.py', 'firmware/cmake/a.cmake', 'firmware/CMakeLists.txt'])(
    'counts wide lines of %s',
    (path) => {
      const { code, output } = report({ [path]: `${'x'.repeat(161)}\n` });
      expect(output).toContain('over 160: 1');
      expect(code).toBe(1);
    },
  );

  it.each([
    ['a file of 401 lines', '// line\n'.repeat(401), 'OVER files over 400 lines: 1'],
    ['too many long functions', `export function f() {\n${'  // line\n'.repeat(59)}}\n`, '1 of 1 (100.00 %)'],
    ['too many wide lines', `// ${'x'.repeat(118)}\n`, 'OVER lines over 120 columns: 1 of 2'],
  ])('rejects %s', (_what, text, complaint) => {
    const { code, output } = report({ 'src-main/platform/kernel/a.ts': text });
    expect(output).toContain(complaint);
    expect(code).toBe(1);
  });

  it('accepts a file of 400 lines, a function of 60 and a line of 120 columns', () => {
    const { code, output } = report({
      'src-main/platform/kernel/a.ts': '// line\n'.repeat(400),
      'src-main/platform/kernel/b.ts': `export function f() {\n${'  // line\n'.repeat(58)}}\n`,
      'src-main/platform/kernel/c.ts': `// ${'x'.repeat(117)}\n`,
    });
    expect(output).not.toContain('OVER');
    expect(code).toBe(0);
  });
});
