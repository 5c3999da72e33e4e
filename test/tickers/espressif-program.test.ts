/** @module-tag long */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createBoard } from '../fakes/esp/board.ts';
import { openPty } from '../fakes/esp/pty.ts';
import { findPython } from '../support/requirements.ts';
import { createMergedImage, IMAGE_BOARDS } from '../support/ticker-images.ts';

/** Debian has the program from release 13 on, so that the tests are skipped where it is missing. */
const PYTHON = findPython(['esptool', 'serial.rfc2217']) ?? '';
const SERVER = fileURLToPath(new URL('../fakes/esp/network-port.py', import.meta.url));
const UNCHANGED = ['--flash_mode', 'keep', '--flash_freq', 'keep', '--flash_size', 'keep'];
const FAST = ['--baud', '460800'];
const READ_BYTES = 0x3000;

/** Runs Espressif's program and returns what it said. */
async function esptool(args: readonly string[]): Promise<{ code: unknown; said: string }> {
  const child = spawn(PYTHON, ['-m', 'esptool', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => void (said += String(bytes)));
  const [code] = await once(child, 'close');
  return { code, said };
}

// Debian's package lacks the loader of the ESP32, and the ROM of the ESP8266 neither reads nor hashes its flash.
const WAYS = [
  ['nm-tv-154', 'the ROM', ['--no-stub']],
  ['smalltv-c2', 'the ROM', ['--no-stub']],
  ['smalltv-c2', 'a loader in RAM', FAST],
  ['esp32c3-devkit', 'the ROM', ['--no-stub']],
  ['esp32c3-devkit', 'a loader in RAM', FAST],
  ['smalltv-esp8266', 'a loader in RAM', FAST],
] as const;

describe.skipIf(PYTHON === '')("the stand-in of a boot ROM, before Espressif's own program", () => {
  test.each(WAYS)(
    '%s is reset, written by %s, verified, started and read',
    async (tag, _, options) => {
      const folder = mkdtempSync(join(tmpdir(), 'esptool-'));
      const kind = IMAGE_BOARDS.find((board) => board.tag === tag)!;
      const board = createBoard({ chip: kind.chip, content: randomBytes(100_000) });
      const [image, file, copy] = [createMergedImage(kind), join(folder, 'image.bin'), join(folder, 'copy.bin')];
      writeFileSync(file, image);
      const pty = await openPty(board);
      const onPort = async (...words: string[]): Promise<{ code: unknown; said: string }> => {
        const server = spawn(PYTHON, [SERVER, pty.path, pty.control], { stdio: ['ignore', 'pipe', 'inherit'] });
        const ended = once(server, 'close');
        const [port] = (await once(server.stdout, 'data')) as [Buffer];
        try {
          return await esptool(['--port', `rfc2217://127.0.0.1:${String(port).trim()}`, ...options, ...words]);
        } finally {
          server.kill();
          await ended;
        }
      };
      try {
        expect(await onPort('write_flash', ...UNCHANGED, '0x0', file)).toMatchObject({
          ...{ code: 0, said: expect.stringContaining('Hash of data verified.') as string },
        });
        expect(Buffer.compare(board.flash.bytes.subarray(0, image.length), image)).toBe(0);
        await expect.poll(() => board.state).toBe('application');
        expect(await onPort('read_flash', '0', String(READ_BYTES), copy)).toMatchObject({ code: 0 });
        expect(Buffer.compare(readFileSync(copy), image.subarray(0, READ_BYTES))).toBe(0);
        expect(board.violations).toEqual([]);
      } finally {
        board.stop();
        await pty.stop();
        rmSync(folder, { recursive: true });
      }
    },
    60_000,
  );
});
