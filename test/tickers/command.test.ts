import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Board, createBoard } from '../fakes/esp/board.ts';
import { openPty, type Pty } from '../fakes/esp/pty.ts';
import { hearth } from '../support/command.ts';
import { describeWith } from '../support/requirements.ts';
import { createMergedImage, IMAGE_BOARDS } from '../support/ticker-images.ts';

const C3 = IMAGE_BOARDS[4];

describeWith({ programs: ['python3'], packages: ['serialport'] }, 'hearth ticker', () => {
  let folder: string, board: Board, pty: Pty;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ticker-'));
    board = createBoard({ chip: 'esp32c3', content: randomBytes(100_000) });
    pty = await openPty(board);
  });
  afterEach(async () => {
    await pty.stop();
    rmSync(folder, { recursive: true });
  });
  const fileOf = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };

  test('reads what is on the board, goes on with a part of it, writes an image and verifies it', async () => {
    const old = Buffer.from(board.flash.bytes);
    const image = createMergedImage(C3);
    const keep = fileOf('old.bin', old);
    truncateSync(keep, 0x3f0000);
    const { code, said } = await hearth(['ticker', 'flash', pty.path, fileOf('new.bin', image), '--keep', keep]);
    expect(said).toContain('ESP32-C3 (QFN32) (revision v0.3), 4 MB, MAC 24:0a:c4:12:34:56');
    expect(said).toContain(`new.bin: ${image.length} bytes at 0x0, verified`);
    expect(code).toBe(0);
    expect(Buffer.compare(readFileSync(keep), old)).toBe(0);
    expect(Buffer.compare(board.flash.bytes.subarray(0, image.length), image)).toBe(0);
    expect(board.violations).toEqual([]);
  });

  test('refuses an image for another board before anything is erased, and says why', async () => {
    const image = fileOf('other.bin', createMergedImage(IMAGE_BOARDS[5]));
    const { code, said } = await hearth(['ticker', 'flash', pty.path, image, '--board', C3.tag]);
    expect(said).toContain('other.bin is for the board esp32c3-usb, this is esp32c3-devkit.');
    expect(code).toBe(1);
    expect(board.flash.erasedSectors).toBe(0);
  });

  test('says which file it can’t open, and reads no board before its image fits', async () => {
    const [missing, copy] = [join(folder, 'missing.bin'), join(folder, 'no folder', 'old.bin')];
    const image = fileOf('new.bin', createMergedImage(C3));
    const other = fileOf('other.bin', createMergedImage(IMAGE_BOARDS[3]));
    const keep = join(folder, 'old.bin');
    const refused = await hearth(['ticker', 'flash', pty.path, other, '--keep', keep]);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('other.bin is for ESP32-C2')]);
    expect([existsSync(keep), board.flash.erasedSectors]).toEqual([false, 0]);
    for (const [words, file] of [
      [['flash', pty.path, missing], missing],
      [['flash', pty.path, folder], folder],
      [['config', pty.path, missing], missing],
      [['flash', pty.path, image, '--keep', copy], copy],
    ] as const) {
      board.reset(true);
      const { code, said } = await hearth(['ticker', ...words]);
      expect([code, said]).toEqual([1, expect.stringContaining(`${file} can’t be opened.`)]);
      expect(said).not.toMatch(/\bat .*\.js:/);
    }
  });

  test('says that another program has the port, and writes once it is free', async () => {
    const image = fileOf('new.bin', createMergedImage(C3));
    // As serialport, PlatformIO and esptool lock a port that they have.
    const lock =
      'import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); input()';
    const other = spawn('python3', ['-c', lock, pty.path], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    const busy = await hearth(['ticker', 'flash', pty.path, image]);
    expect([busy.code, busy.said]).toEqual([1, expect.stringContaining('(ticker.port_busy)')]);
    expect(board.flash.erasedSectors).toBe(0);
    other.stdin.end('\n');
    await once(other, 'close');
    expect((await hearth(['ticker', 'flash', pty.path, image])).code).toBe(0);
  });

  test('says that a port does not exist, and lists those that do', async () => {
    const missing = await hearth(['ticker', 'flash', join(folder, 'tty'), fileOf('new.bin', createMergedImage(C3))]);
    expect([missing.code, missing.said]).toEqual([1, expect.stringContaining('(ticker.port_not_found)')]);
    expect((await hearth(['ticker', 'list'])).code).toBe(0);
  });
});
