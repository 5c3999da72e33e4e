/**
 * `npm run build:desktop`: the app folder that Electron loads, complete but for node_modules. Electron's Node is built without type
 * stripping, so every source is written as JavaScript, file for file: paths relative to a file stay true. Only preload is bundled: the
 * window's sandbox loads one file of CommonJS, which may require nothing but `electron`. `--out FOLDER`.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist', 'desktop') } } });
const OUT = values.out;
const PRELOAD = join('src-main', 'app', 'desktop', 'preload.ts');
/** Relative paths to a source, in imports and in addresses of threads. */
const SOURCE_PATH = /(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g;

function writeSources(folder: string): void {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(OUT, path.slice(ROOT.length));
    if (path.endsWith('.test.ts') || entry.name.endsWith('tsconfig.json') || path === join(ROOT, PRELOAD)) continue;
    mkdirSync(dirname(target), { recursive: true });
    if (entry.name.endsWith('.ts'))
      writeFileSync(
        target.replace(/\.ts$/, '.js'),
        stripTypeScriptTypes(readFileSync(path, 'utf8')).replace(SOURCE_PATH, '$1$2.js$1'),
      );
    else cpSync(path, target);
  }
}

const bundlePreload = (): Promise<unknown> =>
  build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: join(OUT, dirname(PRELOAD)),
      emptyOutDir: false,
      minify: false,
      lib: { entry: join(ROOT, PRELOAD), formats: ['cjs'], fileName: () => 'preload.cjs' },
      rolldownOptions: { external: ['electron'] },
    },
  });

rmSync(OUT, { recursive: true, force: true });
for (const folder of ['src-main', 'src-shared']) writeSources(folder);
await bundlePreload();
for (const folder of ['resources', join('dist', 'renderer')])
  if (existsSync(join(ROOT, folder))) cpSync(join(ROOT, folder), join(OUT, folder), { recursive: true });
const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};
writeFileSync(
  join(OUT, 'package.json'),
  `${JSON.stringify({ name: 'hearth', productName: 'Hearth', version, description, type: 'module', main: 'src-main/app/electron-main.js' }, null, 2)}\n`,
);
