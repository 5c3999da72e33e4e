import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The script that oxlint's package names, so that no shell is needed on any system. */
export const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');

/** What is wrong, in a file of which path and text, and a part of what the linter says. */
export type Violation = readonly [name: string, path: string, text: string, why: string];

/** Writes files into an empty tree with the project's rules and lints them. */
export function lint(files: Record<string, string>): { code: number | null; output: string } {
  const tree = mkdtempSync(join(tmpdir(), 'hearth-lint-'));
  try {
    cpSync(join(ROOT, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
    cpSync(join(ROOT, 'scripts'), join(tree, 'scripts'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'), 'junction');
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [OXLINT, '-f', 'unix', ...Object.keys(files)], {
      cwd: tree,
      encoding: 'utf8',
    });
    return { code: status, output: stdout + stderr };
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Lints a file for each violation in one run when they are first asked for: the errors of each, by its name. */
export function lintEach(violations: readonly Violation[]): () => Map<string, string> {
  let reports: Map<string, string> | null = null;
  return () => {
    if (reports) return reports;
    // Several violations are in a file of the same name, which then gets a number.
    const paths = violations.map(([, path], index) => path.replace(/(?<=\/)a(?=\.)/, `a${index}`));
    if (new Set(paths).size < paths.length) throw new Error('two violations are in one file');
    const { output } = lint(Object.fromEntries(violations.map(([, , text], index) => [paths[index]!, text])));
    const lines = output.split('\n').filter((line) => line.includes('[Error'));
    reports = new Map(
      violations.map(([name], index) => [name, lines.filter((line) => line.startsWith(`${paths[index]}:`)).join('\n')]),
    );
    return reports;
  };
}
