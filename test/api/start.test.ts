import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { addressIn, findAppWindow, openAppWindow } from '../../scripts/app-window.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'hearth-start-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs `npm start` without a display; `until` ends it. */
async function start(flags: string[], until: (output: string) => boolean) {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const child = spawn(process.execPath, [join('scripts', 'start.mjs'), '--vault', join(root, 'vault'), ...flags], {
    cwd: ROOT,
    env: { ...env, XDG_CONFIG_HOME: join(root, 'config') },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (until(output)) child.kill('SIGTERM');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return { code, errors, lines: output.trim().split('\n') };
}

describe.skipIf(process.platform !== 'linux')('npm start without a display', () => {
  it('says in one line why there is no window, and serves', async () => {
    const flags = ['--port', '0', '--phone-backups-port', '0'];
    const { code, errors, lines } = await start(flags, (output) => output.includes('Press Ctrl+C'));
    expect([code, errors]).toEqual([0, '']);
    const steps = lines.filter((line) => !/^(?:Installing|Building)/.test(line));
    expect(steps).toEqual([
      'Starting Hearth.',
      "Hearth can't open its desktop window: there is no display. Open the address below in a browser instead.",
      'Opening the vault.',
      expect.stringMatching(/^Hearth listens on http:\/\/127\.0\.0\.1:\d+$/),
      'Press Ctrl+C to stop.',
    ]);
  });

  it('tells of a taken port in one sentence with what to do, and of that of phone backups as well', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const phone = await start(['--port', '0', '--phone-backups-port', String(port)], (output) =>
      output.includes('Press Ctrl+C'),
    );
    expect([phone.code, phone.errors]).toEqual([0, '']);
    expect(phone.lines.filter((line) => line.includes(String(port)))).toEqual([
      expect.stringMatching(/^Port \d+ is in use, .* choose another port with --phone-backups-port\.$/),
    ]);
    const page = await start(['--port', String(port), '--phone-backups-port', '0'], () => false);
    expect(page.code).toBe(1);
    expect(page.errors.trim().split('\n')).toEqual([
      `Port ${port} is in use. If Hearth is already running, open http://localhost:${port}; otherwise choose another ` +
        `port with --port ${port + 1}.`,
    ]);
    taken.close();
  });
});

describe('the window of Chromium', () => {
  const only = (path: string) => (asked: string) => asked === path;
  const display = {
    DISPLAY: ':0',
    PATH: ['/usr/local/bin', '/usr/bin'].join(process.platform === 'win32' ? ';' : ':'),
  };
  it.skipIf(process.platform === 'win32').each([
    ['is found on the path', { platform: 'linux', env: display, isRoot: false }, '/usr/bin/chromium', true],
    ['needs a display', { platform: 'linux', env: { PATH: '/usr/bin' }, isRoot: false }, '/usr/bin/chromium', false],
    ['is not opened as root', { platform: 'linux', env: display, isRoot: true }, '/usr/bin/chromium', false],
    [
      'is found on macOS',
      { platform: 'darwin', env: {}, isRoot: false },
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      true,
    ],
    [
      'is found on Windows',
      { platform: 'win32', env: { ProgramFiles: 'C:\\Programs' }, isRoot: false },
      'C:\\Programs\\Google\\Chrome\\Application\\chrome.exe',
      true,
    ],
  ])('%s', (_title, system, path, isFound) => {
    expect(findAppWindow({ ...system, exists: only(path) })).toBe(isFound ? path : null);
    expect(findAppWindow({ ...system, exists: () => false })).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('shows the address without controls, in a profile of its own', async () => {
    const program = join(root, 'chromium');
    const flags = join(root, 'flags');
    // With nothing but the shell: PATH may have no other program.
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${flags}\n`);
    chmodSync(program, 0o755);
    openAppWindow(program, 'http://127.0.0.1:8070', join(root, 'profile'));
    await expect
      .poll(() => (existsSync(flags) ? readFileSync(flags, 'utf8').trim().split('\n') : []))
      .toEqual(expect.arrayContaining(['--app=http://127.0.0.1:8070', `--user-data-dir=${join(root, 'profile')}`]));
  });

  it('knows the address by the sentence of the core', () => {
    expect(addressIn('Hearth listens on http://127.0.0.1:8070')).toBe('http://127.0.0.1:8070');
    expect(addressIn('Opening the vault.')).toBeNull();
  });
});
