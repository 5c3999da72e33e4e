/**
 * What a test needs beyond Node and npm. A test names every program, header, library and module it uses;
 * it is skipped with one line when something is missing, and fails instead when a gate below is set.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, rmdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { findBrowser } from './browser.ts';

/** Environment variables that turn a skip into a failure. */
const GATES = {
  programs: 'HEARTH_REQUIRE_PROGRAMS',
  browser: 'HEARTH_REQUIRE_BROWSER',
  firmware: 'HEARTH_REQUIRE_FIRMWARE',
  mount: 'HEARTH_REQUIRE_MOUNT',
} as const;

export interface Requirements {
  /** Programs that must be on the PATH. */
  programs?: readonly string[];
  /** C++ headers that `compiler` must find. */
  headers?: readonly string[];
  /** Files that `compiler` must be able to link, such as `libmbedtls.a`. */
  libraries?: readonly string[];
  /** The compiler that looks for headers and libraries, and its flags; g++ unless stated. */
  compiler?: readonly [program: string, ...flags: string[]];
  /** A compiler with the runtime libraries of its sanitizers, and of libFuzzer with clang. */
  sanitizers?: keyof typeof SANITIZERS;
  /** Modules that one Python on the PATH must be able to import. */
  pythonModules?: readonly string[];
  /** Installed languages of the native Tesseract. */
  tesseractLanguages?: readonly string[];
  /** npm packages that are optional, so that they may be missing. */
  packages?: readonly string[];
  /** A Chromium. */
  browser?: boolean;
  /** The right to create symbolic links, which takes the Developer Mode on Windows. */
  symlinks?: boolean;
  /** The right to mount a file system in memory, which takes root on Linux. */
  tmpfs?: boolean;
  /** The gate that makes a skip a failure: by default `browser` with a browser, otherwise `programs`. */
  gate?: keyof typeof GATES;
}

/** Where to get it: the packages of Debian and Ubuntu, of Homebrew and of WinGet; null where there is none. */
const PACKAGES: Readonly<Record<string, readonly [apt: string, brew: string | null, winget?: string]>> = {
  chromium: ['chromium', '--cask chromium', 'Google.Chrome'],
  cmake: ['cmake', 'cmake', 'Kitware.CMake'],
  ctest: ['cmake', 'cmake', 'Kitware.CMake'],
  ninja: ['ninja-build', 'ninja', 'Ninja-build.Ninja'],
  'g++': ['g++', 'gcc'],
  gcov: ['g++', 'gcc'],
  clang: ['clang', 'llvm', 'LLVM.LLVM'],
  'clang++': ['clang', 'llvm', 'LLVM.LLVM'],
  'wasm-ld': ['lld', 'lld', 'LLVM.LLVM'],
  ...Object.fromEntries(
    [
      'dcm2json',
      'dcmcjpeg',
      'dcmcjpls',
      'dcmconv',
      'dcmcrle',
      'dcmdump',
      'dcmj2pnm',
      'dcml2pnm',
      'dcmmkdir',
      'dcmqridx',
      'dcmqrscp',
      'findscu',
    ].map((name) => [name, ['dcmtk', 'dcmtk'] as const]),
  ),
  flock: ['util-linux', 'flock'],
  ffmpeg: ['ffmpeg', 'ffmpeg', 'Gyan.FFmpeg'],
  git: ['git', 'git', 'Git.Git'],
  mkfifo: ['coreutils', 'coreutils'],
  openssl: ['openssl', 'openssl'],
  opj_compress: ['libopenjp2-tools', 'openjpeg'],
  opj_decompress: ['libopenjp2-tools', 'openjpeg'],
  pdffonts: ['poppler-utils', 'poppler', 'oschwartz10612.Poppler'],
  pdfimages: ['poppler-utils', 'poppler', 'oschwartz10612.Poppler'],
  pdfinfo: ['poppler-utils', 'poppler', 'oschwartz10612.Poppler'],
  pdftoppm: ['poppler-utils', 'poppler', 'oschwartz10612.Poppler'],
  pdftotext: ['poppler-utils', 'poppler', 'oschwartz10612.Poppler'],
  plistutil: ['libplist-utils', 'libplist'],
  python3: ['python3', 'python', 'Python.Python.3.13'],
  qpdf: ['qpdf', 'qpdf', 'QPDF.QPDF'],
  pdfdetach: ['poppler-utils', 'poppler', 'oschwartz10612.Poppler'],
  sqlite3: ['sqlite3', 'sqlite', 'SQLite.SQLite'],
  ssh: ['openssh-client', 'openssh'],
  'ssh-keygen': ['openssh-client', 'openssh'],
  sshd: ['openssh-server', 'openssh'],
  strace: ['strace', null],
  tesseract: ['tesseract-ocr', 'tesseract', 'UB-Mannheim.TesseractOCR'],
  'qemu-system-riscv32': ['qemu-system-misc', 'qemu'],
  'qemu-system-xtensa': ['qemu-system-misc', 'qemu'],
  'riscv64-unknown-elf-g++': ['gcc-riscv64-unknown-elf', null],
  'riscv64-unknown-elf-g++: string.h': ['picolibc-riscv64-unknown-elf', null],
  'xtensa-lx106-elf-g++': ['gcc-xtensa-lx106', null],
  'xtensa-lx106-elf-g++: string.h': ['picolibc-xtensa-lx106-elf', null],
  'doctest/doctest.h': ['doctest-dev', 'doctest'],
  'bearssl.h': ['libbearssl-dev', null],
  'bearssl/bearssl.h': ['libbearssl-dev', null],
  'png.h': ['libpng-dev', 'libpng'],
  'mbedtls/ssl.h': ['libmbedtls-dev', 'mbedtls'],
  'mbedtls/sha256.h': ['libmbedtls-dev', 'mbedtls'],
  'libmbedcrypto.a': ['libmbedtls-dev', 'mbedtls'],
  libasan: ['g++', null],
  libclang_rt: ['libclang-rt-dev', 'llvm'],
  'python: cryptography': ['python3-cryptography', null],
  'python: pydicom': ['python3-pydicom', null],
  'tesseract: deu': ['tesseract-ocr-deu', 'tesseract-lang'],
  'tesseract: fra': ['tesseract-ocr-fra', 'tesseract-lang'],
  'tesseract: ita': ['tesseract-ocr-ita', 'tesseract-lang'],
};

/** The command that installs packages, and the column of PACKAGES with their names. */
const INSTALLERS: Partial<Record<NodeJS.Platform, readonly [command: string, column: 0 | 1 | 2]>> = {
  linux: ['apt install', 0],
  darwin: ['brew install', 1],
  win32: ['winget install', 2],
};

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const EXECUTABLE_ENDINGS = process.platform === 'win32' ? (process.env['PATHEXT'] ?? '.EXE').split(';') : [''];

/** Whether a program of this name is on the PATH. */
export const hasProgram = (name: string): boolean =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && EXECUTABLE_ENDINGS.some((ending) => existsSync(join(folder, name + ending))));

const runs = (program: string, args: readonly string[], input = ''): boolean =>
  spawnSync(program, args, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;

/** The name of a Python on the PATH that imports all of these modules, or undefined. */
export const findPython = (modules: readonly string[]): string | undefined =>
  ['python3', '/usr/bin/python3', 'python'].find((program) =>
    runs(program, ['-c', modules.map((name) => `import ${name}`).join('\n')]),
  );

function missingForCompiler({ headers = [], libraries = [], compiler = ['g++'] }: Requirements): string[] {
  if (headers.length + libraries.length === 0) return [];
  const [program, ...flags] = compiler;
  if (!hasProgram(program)) return [program];
  // The C library of a cross compiler is a package of its own, so its headers are named with the compiler.
  const nameOf = (header: string): string => (program === 'g++' ? header : `${program}: ${header}`);
  return [
    ...headers
      .filter((header) => !runs(program, [...flags, '-E', '-x', 'c++', '-'], `#include <${header}>\n`))
      .map(nameOf),
    ...libraries.filter((library) => {
      const link = [...flags, '-x', 'c++', '-', '-o', '/dev/null', `-l:${library}`];
      return !runs(program, link, 'int main() {}\n');
    }),
  ];
}

/** Fuzzers need clang's runtime libraries, which distributions package apart from the compiler. */
/**
 * What a program that is compiled with all sanitizers of a compiler is linked with, and the library that this takes.
 */
const SANITIZERS = {
  'g++': { flags: 'address,undefined', library: 'libasan' },
  'clang++': { flags: 'fuzzer-no-link,address', library: 'libclang_rt' },
} as const;

function missingSanitizers(compiler: keyof typeof SANITIZERS): string[] {
  const { flags, library } = SANITIZERS[compiler];
  const links = runs(compiler, [`-fsanitize=${flags}`, '-x', 'c++', '-', '-o', '/dev/null'], 'int main() {}\n');
  return links ? [] : [library];
}

function missingLanguages(languages: readonly string[]): string[] {
  if (languages.length === 0) return [];
  const { stdout } = spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8' });
  const installed = new Set((stdout ?? '').split(/\s+/));
  return languages.filter((language) => !installed.has(language)).map((language) => `tesseract: ${language}`);
}

function canLink(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-link-'));
  try {
    symlinkSync(folder, join(folder, 'link'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function canMountTmpfs(): boolean {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'hearth-mount-'));
  const isMounted = runs('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'hearth-test', folder]);
  if (isMounted) runs('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}

/** Names of everything in `needs` that this machine does not have. */
export function findMissing(needs: Requirements): string[] {
  const { programs = [], pythonModules = [], tesseractLanguages = [], packages = [] } = needs;
  const missing = [
    ...programs.filter((name) => !hasProgram(name)),
    ...packages.filter((name) => !existsSync(join(NODE_MODULES, name))).map((name) => `the npm package ${name}`),
    ...missingForCompiler(needs),
    ...missingLanguages(tesseractLanguages),
    ...(needs.sanitizers ? missingSanitizers(needs.sanitizers) : []),
    ...(needs.symlinks && !canLink() ? ['the right to create symbolic links (Developer Mode of Windows)'] : []),
    ...(needs.tmpfs && !canMountTmpfs() ? ['root on Linux'] : []),
    ...(needs.browser && findBrowser() === null ? ['chromium'] : []),
  ];
  if (pythonModules.length > 0 && findPython(pythonModules) === undefined)
    missing.push(...(hasProgram('python3') ? [] : ['python3']), ...pythonModules.map((name) => `python: ${name}`));
  return [...new Set(missing)];
}

/** The command that installs what is missing, for this platform; empty where no package is known. */
function installCommand(missing: readonly string[]): string {
  const [command, column] = INSTALLERS[process.platform] ?? [];
  const packages = missing.flatMap((name) => (column === undefined ? [] : (PACKAGES[name]?.[column] ?? [])));
  if (packages.length === 0) return '';
  return `: ${command} ${[...new Set(packages)].join(' ')}`;
}

/** Whether `needs` are met; prints one line when not, or throws where the gate demands them. */
export function hasRequirements(what: string, needs: Requirements): boolean {
  const missing = findMissing(needs);
  if (missing.length === 0) return true;
  const line = `${what} needs ${missing.join(', ')}${installCommand(missing)}`;
  const gate = GATES[needs.gate ?? (needs.browser ? 'browser' : 'programs')];
  if (process.env[gate] === '1') throw new Error(`${line} (${gate}=1)`);
  process.stderr.write(`skipped: ${line}\n`);
  return false;
}

/** `describe` for tests with requirements: skipped as a whole when one is not met. */
export const describeWith = (needs: Requirements, title: string, body: () => void): void =>
  void describe.skipIf(!hasRequirements(title, needs))(title, body);

/** `it` for a test with requirements. */
export const itWith = (
  needs: Requirements,
  title: string,
  body: () => void | Promise<void>,
  timeoutMs?: number,
): void => void it.skipIf(!hasRequirements(title, needs))(title, body, timeoutMs);
