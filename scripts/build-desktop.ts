/**
 * `npm run build:desktop`: writes the folder that Electron loads, complete but for node_modules. It has the layout of a
 * clone (`dist/core`, `dist/renderer`, `resources`), so the bundled core finds its files in both. `--out FOLDER`;
 * `--if-stale` only when something that it is made of is newer; `--packages` with the packages that are loaded at run
 * time, as it is shipped.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { build } from 'vite';
import { bundleCore, newestChange, newestSource } from './core-bundle.ts';
import { copyPackages } from './desktop-packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(ROOT, 'dist', 'desktop') },
    'if-stale': { type: 'boolean' },
    packages: { type: 'boolean' },
  },
});
const OUT = values.out;
const CORE = join(OUT, 'dist', 'core');
/** Folders that are copied as they are. */
const COPIED = ['resources', join('dist', 'renderer'), join('dist', 'share')];

/** The window's sandbox loads one file of CommonJS, which may require nothing but `electron`. */
const bundlePreload = (): Promise<unknown> =>
  build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: CORE,
      emptyOutDir: false,
      minify: false,
      lib: {
        entry: join(ROOT, 'src-main', 'app', 'desktop', 'preload.ts'),
        formats: ['cjs'],
        fileName: () => 'preload.cjs',
      },
      rolldownOptions: { external: ['electron'] },
    },
  });

/** Whether the folder was written after everything that it is made of. Its package.json is written last. */
function isFresh(): boolean {
  const written = statSync(join(OUT, 'package.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const copied = COPIED.filter((folder) => existsSync(join(ROOT, folder)));
  const parts = copied.map((folder) => newestChange(join(ROOT, folder)));
  return written > Math.max(newestSource(), newestChange(fileURLToPath(import.meta.url)), ...parts);
}

/** The icons of the program and its tray, from the one of the page. */
async function drawIcons(): Promise<void> {
  const icon = readFileSync(join(ROOT, 'src-renderer', 'public', 'icon.svg'));
  const folder = join(OUT, 'resources', 'desktop');
  mkdirSync(folder, { recursive: true });
  const sizes = { 'icon.png': 1024, 'tray.png': 22, 'tray@2x.png': 44 };
  for (const [name, size] of Object.entries(sizes))
    await sharp(icon, { density: (72 * size) / 32 })
      .resize(size, size)
      .png()
      .toFile(join(folder, name));
}

if (values['if-stale'] && isFresh()) process.exit(0);
rmSync(OUT, { recursive: true, force: true });
await bundleCore(CORE);
await bundlePreload();
for (const folder of COPIED)
  if (existsSync(join(ROOT, folder))) cpSync(join(ROOT, folder), join(OUT, folder), { recursive: true });
await drawIcons();
for (const text of ['LICENSE', join('docs', 'third-party-notices.txt'), join('docs', 'licences.md')])
  cpSync(join(ROOT, text), join(OUT, 'licences', basename(text)));
const { version, description, author } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
  author?: string;
};
const manifest = {
  name: 'hearth',
  productName: 'Hearth',
  version,
  description,
  author: author ?? 'Hearth',
  license: 'MIT',
  type: 'module',
  main: 'dist/core/electron-main.js',
  ...(values.packages && { dependencies: copyPackages({ platform: process.platform, arch: process.arch }, OUT) }),
};
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
