import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { FIRMWARE } from '../support/firmware.ts';
import { hasRequirements } from '../support/requirements.ts';
import { IMAGE_BOARDS } from '../support/ticker-images.ts';
import { sha256 } from '../support/vault.ts';

const run = promisify(execFile);
const BOARDS = join(FIRMWARE, 'boards');
const DEFINES = [
  '-DHEARTH_VERSION="1.0.0"',
  '-DHEARTH_REPO_OWNER="o"',
  '-DHEARTH_REPO_NAME="r"',
  '-DHEARTH_UPDATE_KEY=""',
  '-DHEARTH_NEXT_UPDATE_KEY=""',
];
// The language level of each core: ESP8266 core 3.1 and ESP32 core 3.3.
const STRICT = ['-fsyntax-only', '-fno-exceptions', '-fno-rtti', '-Wall', '-Wextra', '-Werror'];
const LX106 = {
  compiler: 'xtensa-lx106-elf-g++',
  flags: ['-std=gnu++17', '-DESP8266', '-isystem', '/usr/lib/xtensa-lx106-elf/include'],
  chip: 'esp8266',
};
const RV32 = {
  compiler: 'riscv64-unknown-elf-g++',
  flags: [
    '-std=gnu++2b',
    '-march=rv32imc',
    '-mabi=ilp32',
    '-DESP32',
    '-isystem',
    '/usr/lib/picolibc/riscv64-unknown-elf/include',
  ],
  chip: 'esp32',
};

/**
 * Environment of platformio.ini → how it is compiled here. The classic ESP32's own compiler is not packaged: its code
 * is checked with that of the C3.
 */
const PROFILES = {
  'smalltv-esp8266': { ...LX106, profiles: ['esp8266'], extra: [] },
  'smalltv-esp8266-loader': { ...LX106, profiles: ['esp8266'], extra: ['-DHEARTH_LOADER'] },
  'nm-tv-154': { ...RV32, profiles: ['esp32'], extra: [] },
  'smalltv-pro': { ...RV32, profiles: ['esp32'], extra: ['-DHEARTH_SMALLTV_PRO'] },
  'smalltv-c2': { ...RV32, profiles: ['esp32c2', 'esp32'], extra: [] },
  'esp32c3-devkit': { ...RV32, profiles: ['esp32c3', 'esp32'], extra: [] },
  'esp32c3-usb': { ...RV32, profiles: ['esp32c3', 'esp32'], extra: ['-DHEARTH_C3_USB'] },
};

describe('boards: a type check against stubs of the platform headers, without an image', () => {
  const present = [LX106, RV32]
    .map(({ compiler, flags }) =>
      hasRequirements('the type check of the boards', {
        gate: 'firmware',
        headers: ['string.h'],
        compiler: [compiler, ...flags],
      }),
    )
    .every(Boolean);

  test.skipIf(!present).each(Object.entries(PROFILES))(
    '%s',
    async (_env, { compiler, flags, chip, profiles, extra }) => {
      const sources = ['arduino', chip].flatMap((folder) =>
        readdirSync(join(BOARDS, folder))
          .filter((name) => name.endsWith('.cpp'))
          .map((name) => join(BOARDS, folder, name)),
      );
      expect(sources.length).toBeGreaterThan(6);
      const stubs = [chip, 'common'].flatMap((folder) => ['-isystem', join(FIRMWARE, 'test/platform', folder)]);
      const quotes = [join(FIRMWARE, 'core'), ...profiles.map((profile) => join(BOARDS, profile))].flatMap((folder) => [
        '-iquote',
        folder,
      ]);
      const { stderr } = await run(compiler, [
        ...STRICT,
        ...DEFINES,
        ...flags,
        ...extra,
        ...stubs,
        ...quotes,
        ...sources,
      ]);
      expect(stderr).toBe('');
    },
  );

  test.skipIf(!present)('fails for a board that does not implement a port', async () => {
    const place = mkdtempSync(join(tmpdir(), 'boards-'));
    const broken = readFileSync(join(BOARDS, 'arduino/clock.cpp'), 'utf8')
      .replace('int64_t* seconds', 'int32_t* seconds')
      .replace('#include "clock.h"', `#include "${join(BOARDS, 'arduino/clock.h')}"`);
    writeFileSync(join(place, 'clock.cpp'), broken);
    const stubs = ['esp8266', 'common'].flatMap((folder) => ['-isystem', join(FIRMWARE, 'test/platform', folder)]);
    await expect(
      run(LX106.compiler, [
        ...STRICT,
        ...LX106.flags,
        ...stubs,
        '-iquote',
        join(FIRMWARE, 'core'),
        '-iquote',
        join(BOARDS, 'esp8266'),
        join(place, 'clock.cpp'),
      ]),
    ).rejects.toThrow(/unix_seconds/);
    rmSync(place, { recursive: true });
  });
});

/** The boards of all profiles on disk, in order, each with the image that updates it. */
const readProfiles = (): { board: string; update: string }[] =>
  readdirSync(BOARDS)
    .map((folder) => join(BOARDS, folder, 'profile.h'))
    .filter((path) => existsSync(path))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/Profile kBoard = \{[\w:]+,\s*"(.*?)",\s*"(.*?)"/g)])
    .map(([, board, update]) => ({ board: board!, update: update! }))
    .sort((a, b) => a.board.localeCompare(b.board));

describe('tables', () => {
  const hasPython = hasRequirements('the linker script of the ESP8266', { gate: 'firmware', programs: ['python3'] });

  test('every partition is inside the flash, overlaps no other and has two equal slots', () => {
    for (const [name, flash] of [
      ['4mb', 4],
      ['8mb', 8],
    ] as const) {
      const rows = readFileSync(join(BOARDS, `partitions/${name}.csv`), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => line.split(',').map((cell) => cell.trim()));
      const parts = rows.map(([label, , , offset, size]) => ({
        label,
        from: Number(offset),
        to: Number(offset) + Number(size),
      }));
      for (const [index, part] of parts.entries())
        expect(part.from, part.label).toBe(index === 0 ? 0x9000 : parts[index - 1]!.to);
      expect(parts.at(-1)!.to).toBe(flash * 2 ** 20);
      const [first, second] = parts.filter(({ label }) => label!.startsWith('app'));
      expect(first!.to - first!.from).toBe(second!.to - second!.from);
      expect(first!.from % 0x10000).toBe(0);
    }
  });

  test.skipIf(!hasPython)('the constants of the core go into flash, once, or the build fails', async () => {
    const place = mkdtempSync(join(tmpdir(), 'constants-'));
    const linker = join(place, 'local.eagle.app.v6.common.ld');
    // As SCons calls a function after a target was made.
    const scons = [
      'import sys',
      'actions = {}',
      'class Env:',
      '  def AddPostAction(self, target, action): actions[target] = action',
      'exec(open(sys.argv[1]).read(), {"Import": lambda name: None, "env": Env()})',
      '(name, action), = actions.items()',
      'assert name == "$BUILD_DIR/ld/local.eagle.app.v6.common.ld"',
      'action(target=[sys.argv[2]], source=[], env=None)',
    ].join('\n');
    const insert = (): Promise<unknown> =>
      run('python3', ['-c', scons, join(BOARDS, 'esp8266/constants_to_flash.py'), linker]);
    const script = '.irom0.text : {\n    *(.ver_number)\n    *.cpp.o(.text*)\n}\n.rodata : { *(.rodata) }\n';
    writeFileSync(linker, script);
    await insert();
    const wanted = script.replace('number)\n', 'number)\n    *src/core/*.cpp.o(.rodata .rodata.*)\n');
    expect(readFileSync(linker, 'utf8')).toBe(wanted);
    await insert();
    expect(readFileSync(linker, 'utf8')).toBe(wanted);
    writeFileSync(linker, '.text : { *(.text) }\n');
    await expect(insert()).rejects.toThrow('linker script of the Arduino core has changed');
    rmSync(place, { recursive: true });
  });

  test('every environment has a type check, a profile with its slot, and a pinned platform', () => {
    const ini = readFileSync(join(FIRMWARE, 'platformio.ini'), 'utf8');
    expect([...ini.matchAll(/^\[env:(.+)\]$/gm)].map(([, env]) => env)).toEqual(Object.keys(PROFILES));
    for (const platform of ini.matchAll(/^platform = (.*)$/gm))
      expect(platform[1]).toMatch(/@\d+\.\d+\.\d+$|download\/\d+\.\d+\.\d+\//);
    expect(readProfiles()).toEqual(
      Object.keys(PROFILES)
        .filter((env) => !env.endsWith('-loader'))
        .sort()
        .map((board) => ({ board, update: `hearth-ticker-${board}.update` })),
    );
  });

  test('every board is built by default, runs in the tests, has images for them and a row in the README', () => {
    const read = (path: string): string => readFileSync(join(FIRMWARE, path), 'utf8');
    const all = Object.keys(PROFILES).sort();
    const boards = all.filter((env) => !env.endsWith('-loader'));
    const listed = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);
    const [, byDefault = ''] = /^default_envs = (.+)$/m.exec(read('platformio.ini')) ?? [];
    expect(byDefault.split(', ').sort()).toEqual(all);
    expect(listed(read('test/board.cmake'), /^ *add_board\(([\w-]+) /gm).sort()).toEqual(all);
    expect(listed(read('README.md'), /^\| `([\w-]+)` \|.*MB/gm).sort()).toEqual(boards);
    expect(IMAGE_BOARDS.map(({ tag }) => tag).sort()).toEqual(boards);
  });

  test('the serial line of a board without a USB-serial chip is its own USB', () => {
    const sections = readFileSync(join(FIRMWARE, 'platformio.ini'), 'utf8').split(/^(?=\[)/m);
    const usesOwnUsb = (env: string): boolean => {
      const section = sections.find((text) => text.startsWith(`[env:${env}]`))!;
      return ['ARDUINO_USB_MODE=1', 'ARDUINO_USB_CDC_ON_BOOT=1'].every((flag) => section.includes(`-D ${flag}`));
    };
    expect(Object.keys(PROFILES).filter(usesOwnUsb)).toEqual(['esp32c3-usb']);
  });

  test('a release is signed by the key whose public part the images know', async () => {
    const place = mkdtempSync(join(tmpdir(), 'signed-'));
    for (const env of Object.keys(PROFILES)) {
      mkdirSync(join(place, env), { recursive: true });
      for (const name of ['firmware.bin', 'firmware.factory.bin']) writeFileSync(join(place, env, name), env);
    }
    const { stdout: pem } = await run(process.execPath, [join(BOARDS, 'update-key.mjs'), 'new']);
    const env = { ...process.env, HEARTH_UPDATE_PRIVATE_KEY: pem };
    await run(process.execPath, [join(BOARDS, 'release.mjs'), '1.2.3', join(place, 'out'), place], { env });
    const { stdout } = await run(process.execPath, [join(BOARDS, 'update-key.mjs')], { env });
    const point = Buffer.from(stdout.trim(), 'hex');
    expect(point).toHaveLength(64);
    const [x, y] = [point.subarray(0, 32), point.subarray(32)].map((part) => part.toString('base64url'));
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const file = readFileSync(join(place, 'out/hearth-ticker-smalltv-c2.update'));
    const signature = file.subarray(128, 192);
    expect(file.readUInt16LE(10)).toBe(2);
    expect(verify('sha256', file.subarray(0, 128), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    expect(file.subarray(192).toString()).toBe('smalltv-c2');
    const { stdout: none } = await run(process.execPath, [join(BOARDS, 'update-key.mjs')], {
      env: { ...process.env, HEARTH_UPDATE_PRIVATE_KEY: '' },
    });
    expect(none).toBe('');
    rmSync(place, { recursive: true });
  });

  test('a release has every image, its checksum and a manifest for the web installer', async () => {
    const place = mkdtempSync(join(tmpdir(), 'release-'));
    for (const env of Object.keys(PROFILES)) {
      mkdirSync(join(place, 'build', env), { recursive: true });
      writeFileSync(join(place, 'build', env, 'firmware.bin'), `app of ${env}`);
      writeFileSync(join(place, 'build', env, 'firmware.factory.bin'), `whole of ${env}`);
    }
    await run(process.execPath, [join(BOARDS, 'release.mjs'), '1.2.3', join(place, 'out'), join(place, 'build')]);
    const manifest = (env: string) => JSON.parse(readFileSync(join(place, 'out', `manifest-${env}.json`), 'utf8'));
    expect(manifest('smalltv-esp8266').builds).toEqual([
      { chipFamily: 'ESP8266', improv: true, parts: [{ path: 'hearth-ticker-smalltv-esp8266.bin', offset: 0 }] },
    ]);
    expect(manifest('smalltv-c2')).toMatchObject({
      version: '1.2.3',
      builds: [{ chipFamily: 'ESP32-C2', parts: [{ path: 'hearth-ticker-smalltv-c2.bin', offset: 0 }] }],
    });
    expect(readFileSync(join(place, 'out/hearth-ticker-nm-tv-154.bin'), 'utf8')).toBe('whole of nm-tv-154');
    const update = readFileSync(join(place, 'out/hearth-ticker-nm-tv-154.update'));
    expect(update.subarray(128).toString()).toBe('app of nm-tv-154');
    expect(update.subarray(48, 80).toString()).toBe('nm-tv-154'.padEnd(32, '\0'));
    expect(readFileSync(join(place, 'out', 'hearth-ticker-smalltv-esp8266-loader.bin'), 'utf8')).toBe(
      'app of smalltv-esp8266-loader',
    );
    const boards = readProfiles();
    const loader = 'hearth-ticker-smalltv-esp8266-loader.bin';
    const images = [loader, ...boards.flatMap(({ board, update }) => [`hearth-ticker-${board}.bin`, update])];
    const sums = images.map((name) => `${sha256(readFileSync(join(place, 'out', name)))}  ${name}`);
    expect(readFileSync(join(place, 'out/SHA256SUMS'), 'utf8').trim().split('\n').sort()).toEqual(sums.sort());
    const manifests = boards.map(({ board }) => `manifest-${board}.json`);
    expect(readdirSync(join(place, 'out')).sort()).toEqual([...images, ...manifests, 'SHA256SUMS'].sort());
    writeFileSync(join(place, 'build/smalltv-esp8266/firmware.bin'), Buffer.alloc(900 * 1024 + 1));
    await expect(
      run(process.execPath, [join(BOARDS, 'release.mjs'), '1.2.3', join(place, 'out'), join(place, 'build')]),
    ).rejects.toThrow('smalltv-esp8266: 921601 bytes, 921600 are allowed');
    rmSync(place, { recursive: true });
  });
});
