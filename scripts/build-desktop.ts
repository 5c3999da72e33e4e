/**
 * `npm run build:desktop`: writes the folder that Electron loads, complete but for node_modules. It has the layout of a
 * clone
 * (`dist/core`, `dist/renderer`, `resources`), so the bundled core finds its files in both. `--out FOLDER`.
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { bundleCore } from './core-bundle.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist', 'desktop') } } });
const OUT = values.out;
const CORE = join(OUT, 'dist', 'core');

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

rmSync(OUT, { recursive: true, force: true });
await bundleCore(CORE);
await bundlePreload();
for (const folder of ['resources', join('dist', 'renderer')])
  if (existsSync(join(ROOT, folder))) cpSync(join(ROOT, folder), join(OUT, folder), { recursive: true });
const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};
const manifest = {
  name: 'hearth',
  productName: 'Hearth',
  version,
  description,
  type: 'module',
  main: 'dist/core/electron-main.js',
};
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
