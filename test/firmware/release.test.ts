/**
 * @module-tag long
 * The steps of the images' workflow, run by a shell, and devices that find and install what they published. Only the
 * compiler and GitHub itself are missing.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevice, until } from '../fakes/device.ts';
import { makeIdentity } from '../fakes/market/certificates.ts';
import { startMarket } from '../fakes/market/market.ts';
import { buildFirmware, FIRMWARE, SIMULATOR } from '../support/firmware.ts';
import { describeWith } from '../support/requirements.ts';

const WORKFLOW = fileURLToPath(new URL('../../.github/workflows/firmware.yml', import.meta.url));
const HOSTS = ['raw.githubusercontent.com', 'api.github.com', 'github.com'];
const IMAGE = Buffer.concat([
  Buffer.from([0xe9, 3, 2, 0x20, 0, 0, 0, 0, 0, 0xee, 0, 0, 5, 0, 0]),
  Buffer.alloc(400_000, 7),
]);
const STEPS_OF_A_RELEASE = ['Take the version from the tag', /release\.mjs/, 'Publish', /publish-latest/];

type Step = { name: string | undefined; run: string | undefined };
const place = mkdtempSync(join(tmpdir(), 'released-'));
const clone = join(place, 'fork');
const remote = join(place, 'remote.git');
const released = join(place, 'released');
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The steps that run a command; a block of lines loses its indentation. */
function readSteps(): Step[] {
  const [, ...steps] = readFileSync(WORKFLOW, 'utf8').split(/^ {6}- /m);
  return steps.map((step) => {
    const block = /^ {0,8}run: \|\n((?: {10}.*\n|\n)+)/m.exec(step)?.[1]?.replace(/^ {10}/gm, '');
    return { name: /^name: (.*)$/m.exec(step)?.[1], run: block ?? /^ {0,8}run: (.*)$/m.exec(step)?.[1] };
  });
}

/** Runs the steps for a tag as the runner does, with `gh` replaced by a folder. */
function release(tag: string): void {
  const steps = readSteps();
  const bin = join(place, 'bin');
  mkdirSync(bin, { recursive: true });
  const gh =
    '#!/bin/sh\nshift 2; tag=$1; shift; mkdir -p "$RELEASED/$tag"\n' +
    'for file; do case "$file" in --*) break;; esac; cp "$file" "$RELEASED/$tag/"; done\n';
  writeFileSync(join(bin, 'gh'), gh, { mode: 0o755 });
  const variables = join(place, 'variables');
  writeFileSync(variables, '');
  for (const wanted of STEPS_OF_A_RELEASE) {
    const step = steps.find(({ name, run }) => (typeof wanted === 'string' ? name === wanted : wanted.test(run ?? '')));
    const set = readFileSync(variables, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('=') as [string, string]);
    execFileSync('bash', ['-e', '-c', step!.run!], {
      cwd: join(clone, 'firmware'),
      stdio: 'pipe',
      env: {
        ...process.env,
        PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
        RELEASED: released,
        GITHUB_REF_NAME: tag,
        GITHUB_ENV: variables,
        ...Object.fromEntries(set),
      },
    });
  }
}

describeWith(
  { ...SIMULATOR, programs: [...(SIMULATOR.programs ?? []), 'openssl', 'git'] },
  'a release by the workflow',
  () => {
    beforeAll(() => {
      git(place, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
      git(place, 'clone', '--quiet', remote, clone);
      cpSync(join(FIRMWARE, 'boards'), join(clone, 'firmware/boards'), { recursive: true });
      const builds = join(clone, 'firmware/.pio/build');
      const ini = readFileSync(join(FIRMWARE, 'platformio.ini'), 'utf8');
      for (const [, env = ''] of ini.matchAll(/^\[env:(.+)\]$/gm)) {
        mkdirSync(join(builds, env), { recursive: true });
        for (const name of ['firmware.bin', 'firmware.factory.bin']) writeFileSync(join(builds, env, name), IMAGE);
      }
    });
    afterAll(() => rmSync(place, { recursive: true, force: true }));

    test('is found and installed by devices that run an older one', async () => {
      const identity = makeIdentity(HOSTS);
      writeFileSync(join(place, 'root.pem'), identity.root);
      const market = await startMarket({ key: identity.key, cert: identity.cert });
      const program = join(buildFirmware('ticker-sim'), 'sim/ticker-sim');
      release('firmware-2.1.0');
      expect(git(remote, 'show', 'data:firmware/latest.json')).toBe('{"version":"2.1.0"}');
      market.files.set('/o/r/data/firmware/latest.json', Buffer.from('{"version":"2.1.0"}'));
      for (const name of readdirSync(join(released, 'firmware-2.1.0')))
        market.files.set(
          `/o/r/releases/download/firmware-2.1.0/${name}`,
          readFileSync(join(released, 'firmware-2.1.0', name)),
        );

      for (const [chip, board, version, newer, heap] of [
        ['esp8266', 'smalltv-esp8266', '2.0.9', true, 28_672],
        // The least with which it begins: short records fit, those of 16 KB would not.
        ['esp8266', 'smalltv-esp8266', '2.0.9', true, 17_600],
        ['esp32c3', 'esp32c3-devkit', '2.0.9', true, 163_840],
        ['esp32c3', 'esp32c3-devkit', '2.1.0', false, 163_840],
      ] as const) {
        const folder = join(place, `${board}-${version}-${heap}`);
        const device = await startDevice(
          program,
          [
            ...['--chip', chip, '--board', board, '--version', version, '--repo', 'o/r', '--speed', '20'],
            ...['--heap', String(heap), '--wifi', 'home,behind the wall', '--ca', join(place, 'root.pem')],
            ...HOSTS.flatMap((host) => ['--route', `${host}=127.0.0.1:${market.port}`]),
          ],
          folder,
        );
        await device.configure({ wifi: [{ ssid: 'home', pass: 'behind the wall' }] });
        await until(async () => (await device.status()).connected, 'the network');
        const checked = await (await fetch(`${device.web}/api/checkupdate`)).json();
        expect(checked).toEqual({ current: version, ok: true, latest: '2.1.0', newer });
        await fetch(`${device.web}/api/selfupdate`, { method: 'POST', headers: { 'X-Hearth': '1' } });
        const image = join(folder, 'firmware.bin');
        if (newer) {
          await until(async () => existsSync(image), 'the update');
          expect(readFileSync(image).equals(IMAGE)).toBe(true);
          if (chip === 'esp8266') {
            const peak = Math.max(...device.connections.map(({ heapPeak }) => heapPeak));
            process.stdout.write(`self-update with ${heap} bytes of heap: at most ${peak} in use\n`);
            expect(peak).toBeLessThan(17_600);
          }
        } else {
          await until(
            async () => JSON.stringify(await device.status()).includes('This is the newest release'),
            'the answer',
          );
          expect(existsSync(image)).toBe(false);
        }
        await device.stop();
      }
      await market.close();
    });

    test('with too little memory is not begun, and the device goes on with what it has', async () => {
      const hub = await startMarket();
      hub.listings.set('HOUSE', { price: 5, previousClose: 4, currency: 'CHF', name: 'House', closes: [] });
      const folder = join(place, 'poor');
      const device = await startDevice(
        join(buildFirmware('ticker-sim'), 'sim/ticker-sim'),
        [
          ...['--chip', 'esp8266', '--version', '2.0.9', '--repo', 'o/r', '--speed', '20', '--heap', '15000'],
          ...['--wifi', 'home,behind the wall', '--route', `hub.home=127.0.0.1:${hub.port}`],
        ],
        folder,
      );
      const ticker = { webhookUrl: 'http://hub.home/hook', symbols: [{ symbol: 'HOUSE', source: 'webhook' }] };
      await device.configure({ wifi: [{ ssid: 'home', pass: 'behind the wall' }], ticker });
      await fetch(`${device.web}/api/selfupdate`, { method: 'POST', headers: { 'X-Hearth': '1' } });
      const said = 'There is too little memory for an update now. Choose the update file on this page.';
      await until(async () => JSON.stringify(await device.status().catch(() => '')).includes(said), 'the reason');
      await until(async () => (await device.tickers())[0]!.fresh, 'the price');
      expect([existsSync(join(folder, 'firmware.bin')), existsSync(join(folder, 'update'))]).toEqual([false, false]);
      expect(await device.stop()).toBe(0);
      await hub.close();
    });
  },
);
