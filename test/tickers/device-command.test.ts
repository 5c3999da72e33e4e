import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Device, startDevice } from '../fakes/device.ts';
import { hearth } from '../support/command.ts';
import { SIMULATOR } from '../support/firmware.ts';
import { HEARTH } from '../support/program.ts';
import { describeWith } from '../support/requirements.ts';
import { simulatorProgram } from '../support/simulated-device.ts';

/** Begins an update and goes away. */
function breakUpload({ web }: Device): Promise<void> {
  const socket = connect(Number(new URL(web).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /update HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Hearth: 1\r\nContent-Length: 9000\r\n\r\nHEARTHUP');
  setTimeout(() => socket.destroy(), 200);
  return new Promise((resolve) => void socket.once('close', () => resolve()));
}

describeWith({ ...SIMULATOR, packages: ['serialport'] }, 'hearth ticker with a running device', () => {
  let folder: string, device: Device;
  beforeAll(() => void simulatorProgram());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ticker-'));
    device = await startDevice(simulatorProgram(), [
      '--chip',
      'esp32c3',
      '--speed',
      '10',
      '--wifi',
      'home,behind the wall',
    ]);
  });
  afterEach(async () => {
    await device.stop();
    rmSync(folder, { recursive: true });
  });

  test('config prints the settings, writes a changed file, and refuses one that does not fit', async () => {
    const read = await hearth(['ticker', 'config', device.pty]);
    const settings = JSON.parse(read.said) as Record<string, unknown>;
    expect([read.code, settings['brightness'], settings['chip']]).toEqual([0, 90, 'esp32c3']);
    const file = join(folder, 'settings.json');
    writeFileSync(
      file,
      JSON.stringify({ ...settings, brightness: 12, wifi: [{ ssid: 'home', pass: 'behind the wall' }] }),
    );
    const written = await hearth(['ticker', 'config', device.pty, file]);
    expect(written.said).toContain('brightness: 90 → 12');
    expect(written.said).not.toContain('behind the wall');
    expect(written.code).toBe(0);
    await expect.poll(async () => (await device.status()).ssid).toBe('home');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"brightness":12', '"brightness":1200'));
    const refused = await hearth(['ticker', 'config', device.pty, file]);
    expect(refused.said).toContain('refused brightness and changed nothing: enter a whole number from 0 to 100');
    expect(refused.code).toBe(1);
  });

  test('log prints what the device says, until it is interrupted', async () => {
    const child = spawn(process.execPath, [HEARTH, 'ticker', 'log', device.pty], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    // An upload that breaks off is a line of the log, once somebody follows it.
    await expect.poll(() => breakUpload(device).then(() => said), { interval: 500 }).toMatch(/upload/);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});
