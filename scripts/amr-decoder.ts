/**
 * Builds resources/sound/amr.wasm, the decoders of AMR and AMR-WB, from the source of opencore-amr 0.1.6: unpacked from
 * opencore-amr_0.1.6.orig.tar.gz, which is Debian's and whose sum is checked. Needs tar, clang, lld and wasi-libc.
 * `node scripts/amr-decoder.ts TARBALL [--out FILE]`
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run } from './firmware-build/build.ts';

const SUM = '483eb4061088e2b34b358e47540b5d495a96cd468e361050fae615b1809dc4a1';
const EXPORTS = ['malloc', 'Decoder_Interface_init', 'Decoder_Interface_Decode', 'D_IF_init', 'D_IF_decode'];
const INCLUDES = [
  'amr_nb/dec/src',
  'amr_nb/common/include',
  'amr_nb/dec/include',
  'common/dec/include',
  'amr_nb/enc/src',
  'amr_wb/dec/src',
  'amr_wb/dec/include',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: fileURLToPath(new URL('../resources/sound/amr.wasm', import.meta.url)) } },
});
const tarball = positionals[0];
if (tarball === undefined)
  throw new Error(
    'Name the tarball: node scripts/amr-decoder.ts opencore-amr_0.1.6.orig.tar.gz (`apt-get source ' +
      '--download-only opencore-amr` on Debian 12 fetches it)',
  );
const sum = createHash('sha256').update(readFileSync(tarball)).digest('hex');
if (sum !== SUM)
  throw new Error(
    `${basename(tarball)} is not the source of opencore-amr 0.1.6 that was looked at: its SHA-256 is ${sum}`,
  );

const folder = mkdtempSync(join(tmpdir(), 'hearth-amr-'));
try {
  run('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
  const codecs = join(folder, 'opencore/codecs_v2/audio/gsm_amr');
  /** Sources of a Makefile.am that follow `prefix`; what it only mentions in comments is left out. */
  const listed = (part: string, prefix: string, place: string): string[] => {
    const lines = readFileSync(join(folder, part, 'Makefile.am'), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .join('\n');
    return [...lines.matchAll(new RegExp(`\\(${prefix}\\)/(\\w+\\.cpp)`, 'g'))].map(([, file = '']) =>
      join(codecs, place, file),
    );
  };
  const sources = {
    nb: [
      join(folder, 'amrnb/wrapper.cpp'),
      ...listed('amrnb', 'DEC_SRC_DIR', 'amr_nb/dec/src'),
      ...listed('amrnb', 'COMMON_SRC_DIR', 'amr_nb/common/src'),
    ],
    wb: [join(folder, 'amrwb/wrapper.cpp'), ...listed('amrwb', 'DEC_SRC_DIR', 'amr_wb/dec/src')],
  };
  const objects = Object.entries(sources).flatMap(([name, files]) =>
    [...new Set(files)].map((file) => {
      const object = join(folder, `${name}_${basename(file, '.cpp')}.o`);
      // The library's own way without a C++ library: its sources are C in all but their names.
      run('clang', [
        '--target=wasm32-wasi',
        '-x',
        'c',
        '-std=c99',
        '-O2',
        '-w',
        '-DDISABLE_AMRNB_ENCODER',
        '-ffunction-sections',
        '-fdata-sections',
        `-I${join(folder, 'oscl')}`,
        ...INCLUDES.map((include) => `-I${join(codecs, include)}`),
        '-c',
        file,
        '-o',
        object,
      ]);
      return object;
    }),
  );
  mkdirSync(dirname(values.out), { recursive: true });
  // A fixed 2 MiB: neither decoder asks for memory after its start.
  run('wasm-ld', [
    '--no-entry',
    '--gc-sections',
    '--strip-all',
    '-z',
    'stack-size=131072',
    ...EXPORTS.map((name) => `--export=${name}`),
    '--initial-memory=2097152',
    '--max-memory=2097152',
    ...objects,
    '-L/usr/lib/wasm32-wasi',
    '-lc',
    '-o',
    values.out,
  ]);
  process.stdout.write(`${statSync(values.out).size} bytes of WebAssembly\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
