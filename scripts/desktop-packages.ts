import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTERNAL_PACKAGES } from './core-bundle.ts';
import { lock, nameOf, packagesBelow } from './lock.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The language data of the built-in OCR is found by its package, not imported. */
const DATA_PACKAGES = ['deu', 'eng', 'fra', 'ita'].map((language) => `@tesseract.js-data/${language}`);
/** Packages that the bundle loads at run time; Electron itself is not one of them. */
const RUNTIME_PACKAGES = [...EXTERNAL_PACKAGES, ...DATA_PACKAGES].filter((name) => name !== 'electron');

/** Left out of each package: what nothing loads. Licenses stay. */
const NEVER_LOADED = [/\.(?:md|markdown|map|d\.[cm]?ts|[cm]?ts|tsbuildinfo|gyp|gypi)$/i, /(?:^|\/)\.[^/]*$/];
const UNUSED_FOLDERS = /(?:^|\/)(?:tests?|__tests__|docs?|examples?|benchmarks?|coverage|\.github|man)\//i;
const LICENSE = /(?:^|\/)(?:licen[cs]e|copying|notice)[^/]*$/i;

/** The files that are used of packages that hold much more. */
const USED_FILES: Readonly<Record<string, RegExp>> = {
  // Node loads one build of it, others are for pages.
  'onnxruntime-web': /^(?:package\.json|dist\/ort\.node\.min\.(?:mjs|js)|dist\/ort-wasm-simd-threaded\.(?:mjs|wasm))$/,
  // tesseract.js 7 loads these cores in Node also where only LSTM is asked for; `.wasm.js` files are for pages.
  'tesseract.js-core': /^(?:package\.json|index\.js|tesseract-core(?:-(?:relaxed)?simd)?\.(?:js|wasm))$/,
  '@hyzyla/pdfium': /^(?:package\.json|dist\/(?:index\.esm|vendor|.*chunk).*\.js|dist\/index\.cjs|dist\/pdfium\.wasm)$/,
  zlibjs: /^(?:package\.json|bin\/node-zlib\.js)$/,
  'libheif-js': /^(?:package\.json|wasm-bundle\.js|libheif-wasm\/.*)$/,
};
/** Parts that are only needed to compile a package, or for other systems. */
const UNUSED_PARTS: Readonly<Record<string, RegExp>> = {
  'better-sqlite3': /^(?:deps|src)\//,
  'node-llama-cpp': /^(?:llama\/(?:gitRelease\.bundle|addon|cmake|toolchains|profiles)|templates)/,
  '@serialport/bindings-cpp': /^src\//,
  '@hyzyla/pdfium': /base64|browser|cdn/,
  dcmjs: /^(?:generate|data)\//,
};
/** Model runners for graphics cards are large; whoever wants one installs it. */
const GPU_RUNNER = /^@node-llama-cpp\/.*(?:cuda|vulkan)/;

export interface Target {
  platform: string;
  arch: string;
}

/** The folders of packages that a system needs, as the lock names them. */
export function packagesFor({ platform, arch }: Target): string[] {
  return [
    ...packagesBelow(RUNTIME_PACKAGES, (path, { os, cpu }) => {
      const name = nameOf(path);
      const isOwn = (!os || os.includes(platform)) && (!cpu || cpu.includes(arch));
      if (name.startsWith('@types/') || GPU_RUNNER.test(name)) return false;
      const runner = /^@node-llama-cpp\/(\w+)-(\w+)/.exec(name);
      return isOwn && (!runner || runner[2] === arch);
    }),
  ].filter((path) => existsSync(join(ROOT, path)));
}

/** The files of a package that are shipped. */
export function shippedFiles(path: string, { platform, arch }: Target): string[] {
  const name = nameOf(path);
  const folder = join(ROOT, path);
  return filesBelow(folder)
    .map((file) => relative(folder, file).replaceAll('\\', '/'))
    .filter((file) => {
      if (LICENSE.test(file)) return true;
      if (NEVER_LOADED.some((pattern) => pattern.test(file)) || UNUSED_FOLDERS.test(file)) return false;
      if (UNUSED_PARTS[name]?.test(file) || USED_FILES[name]?.test(file) === false) return false;
      return isForTarget(file, platform, arch);
    })
    .toSorted();
}

/** The native modules of all systems are in `prebuilds/linux-x64.node` or `prebuilds/linux-x64/…`. */
function isForTarget(file: string, platform: string, arch: string): boolean {
  const prebuilt = /(?:^|\/)prebuilds\/([^/.]+)/.exec(file)?.[1];
  if (prebuilt === undefined) return true;
  const [system = '', processors = ''] = prebuilt.split('-');
  return system === platform && processors.split('+').includes(arch) && !/musl/.test(file);
}

/** Files of a package, without the packages within it. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return lstatSync(path).isFile() ? [path] : [];
  });
}

/** Copies the packages into a folder beside the bundle; returns their names with the exact versions. */
export function copyPackages(target: Target, out: string): Record<string, string> {
  for (const path of packagesFor(target))
    for (const file of shippedFiles(path, target)) {
      const copy = join(out, path, file);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(ROOT, path, file), copy);
    }
  return Object.fromEntries(
    RUNTIME_PACKAGES.filter((name) => existsSync(join(out, 'node_modules', name))).map((name) => [
      name,
      lock[`node_modules/${name}`]!.version,
    ]),
  );
}
