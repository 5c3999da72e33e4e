/**
 * Writes docs/third-party-notices.txt: license and license text of every package that ships with Hearth. These are the
 * production dependencies, the packages that the user interface bundles, Electron, and all that they depend on.
 * `--check` compares instead.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface LockEntry {
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  optional?: boolean;
}
interface Notice {
  id: string;
  license: string;
  text: string | null;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'docs', 'third-party-notices.txt');
/** Shipped, but not imported by the user interface. */
const RUNTIME_PACKAGES = ['electron'];
/** Matches `from 'react'`, `import('pdfkit')` and `import '@fontsource/ibm-plex-mono/400.css'`. */
const BARE_IMPORT = /(?:from|import)\s*\(?\s*'((?:@[\w-]+\/)?[\w][\w.-]*)(?:\/[^']*)?'/g;
const LICENSE_FILE = /licen[sc]e|copying|notice/i;

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const lock = (
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockEntry> }
).packages;

const notices = collectNotices(
  shippedPackages([
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.optionalDependencies),
    ...bundledPackages(),
  ]),
);
const output = render(notices);
if (!process.argv.includes('--check')) {
  writeFileSync(OUTPUT, output);
} else if (readFileSync(OUTPUT, 'utf8') !== output) {
  process.stderr.write('docs/third-party-notices.txt is out of date: run "npm run generate".\n');
  process.exitCode = 1;
}

/** Development dependencies that end up in `dist`, because a source file of the user interface imports them. */
function bundledPackages(): string[] {
  const files = globSync('{src-renderer,src-shared}/**/*.{ts,tsx,css}', { cwd: ROOT });
  const imported = files
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(BARE_IMPORT)].map((match) => match[1]!));
  return [...new Set([...imported, ...RUNTIME_PACKAGES])].filter((name) => name in manifest.devDependencies);
}

/** Paths in the lock of `roots` and of everything they depend on, found the way Node resolves packages. */
function shippedPackages(roots: string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string, parent: string): void => {
    const path = resolveLocked(name, parent);
    if (path === null || found.has(path)) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = lock[path]!;
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) visit(dependency, path);
  };
  for (const root of roots) visit(root, '');
  return found;
}

function resolveLocked(name: string, parent: string): string | null {
  const path = `${parent && `${parent}/`}node_modules/${name}`;
  if (path in lock) return path;
  if (parent === '') return null;
  const outer = parent.lastIndexOf('/node_modules/');
  return resolveLocked(name, outer === -1 ? '' : parent.slice(0, outer));
}

/**
 * Packages for one platform and optional ones are listed from the lock alone, so that the file is the same wherever they
 * could be installed or not. Each ships whole, with the file of its license.
 */
function collectNotices(paths: Set<string>): Notice[] {
  const script = join(ROOT, 'node_modules', 'license-checker-rseidelsohn', 'bin', 'license-checker-rseidelsohn.js');
  const report = JSON.parse(
    execFileSync(process.execPath, [script, '--json', '--start', ROOT], { encoding: 'utf8', maxBuffer: 64e6 }),
  ) as Record<string, { licenses: string | string[]; licenseFile?: string }>;
  const byId = new Map<string, Notice>();
  for (const path of paths) {
    const { version, license = 'see the package', os, cpu, optional } = lock[path]!;
    const id = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
    const found = os || cpu || optional ? undefined : report[id];
    const file = found?.licenseFile;
    byId.set(id, {
      id,
      license: licenseName([found?.licenses ?? license].flat()),
      text: file && LICENSE_FILE.test(basename(file)) ? readFileSync(file, 'utf8') : null,
    });
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The checker marks a guessed license with an asterisk and one that SPDX does not know with "Custom". */
function licenseName(names: string[]): string {
  const name = names.join(' OR ').replaceAll('*', '');
  return name.startsWith('Custom') ? 'its own license, see below' : name;
}

/** The list of packages, then each license text once with the packages that it covers. */
function render(all: Notice[]): string {
  const byText = new Map<string, string[]>();
  for (const { id, text } of all) {
    if (text === null) continue;
    const clean = text
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
    byText.set(clean, [...(byText.get(clean) ?? []), id]);
  }
  const rule = '='.repeat(80);
  const texts = [...byText].map(([text, ids]) => `${rule}\n${ids.join('\n')}\n${rule}\n\n${text}\n`);
  return [
    'Third-party notices of Hearth. Generated by scripts/third-party-notices.ts.\n',
    'Fonts, code tables and the audio decoder are listed in licences.md.\n\n',
    all.map(({ id, license }) => `${id}: ${license}\n`).join(''),
    '\n',
    texts.join('\n'),
  ].join('');
}
