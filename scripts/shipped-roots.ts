import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Shipped, but not imported by the user interface. */
const RUNTIME_PACKAGES = ['electron'];
/** Matches `from 'react'`, `import('pdfkit')` and `import '@fontsource/ibm-plex-mono/400.css'`. */
const BARE_IMPORT = /(?:from|import)\s*\(?\s*'((?:@[\w-]+\/)?[\w][\w.-]*)(?:\/[^']*)?'/g;

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** The packages that ship with Hearth, without what they depend on: those of the core, of the pages, and Electron. */
export const shippedRoots = (): string[] => [
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.optionalDependencies),
  ...bundledPackages(),
];

/** Development dependencies that end up in `dist`, because a source file of the user interface imports them. */
function bundledPackages(): string[] {
  const files = globSync('{src-renderer,src-shared}/**/*.{ts,tsx,css}', { cwd: ROOT });
  const imported = files
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(BARE_IMPORT)].map((match) => match[1]!));
  return [...new Set([...imported, ...RUNTIME_PACKAGES])].filter((name) => name in manifest.devDependencies);
}
