import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../../test/support/long.ts';
import { describeWith } from '../../../../test/support/requirements.ts';
import { freePort, makeSshServer, type SshServer } from '../../../../test/support/ssh-server.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { createTunnel, retryDelay, type Tunnel, type TunnelSettings, type TunnelState } from './tunnel.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-tunnel-'));
const file = (name: string): string => join(folder, name);
const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Sleeps until the test ends the sleep: `wake` ends all sleeps of up to so many milliseconds. */
const sleeping: { ms: number; wake: () => void }[] = [];
const clock = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      sleeping.push({ ms, wake: () => resolve(true) });
      signal?.addEventListener('abort', () => resolve(false), { once: true });
      if (signal?.aborted) resolve(false);
    }),
};
const OPENING_MS = 45_000;
function wake(ms: number): void {
  for (const sleep of sleeping.splice(0)) if (sleep.ms === ms) sleep.wake();
}

let tunnel: Tunnel;
let states: TunnelState[] = [];
let listener: ((state: TunnelState) => void) | null = null;
function open(): Tunnel {
  states = [];
  tunnel = createTunnel({
    clock,
    onChange: (state) => {
      states.push(state);
      listener?.(state);
    },
  });
  return tunnel;
}
/** Resolves with the first state from now on, or the present one, for which `is` is true. */
const stateWhere = (is: (state: TunnelState) => boolean): Promise<TunnelState> =>
  new Promise((resolve) => {
    listener = (state) => is(state) && resolve(state);
    if (is(tunnel.state())) resolve(tunnel.state());
  });
const isOpen = ({ status }: TunnelState): boolean => status === 'open';
const isFailed = ({ status }: TunnelState): boolean => status === 'failed';

afterEach(() => tunnel?.stop());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that nobody has waited for yet has ended, too.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};
async function waitUntilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) await systemClock.sleep(10);
}

/** A program that is a script of Node. */
function program(name: string, script: string): string {
  writeFileSync(file(name), `#!/bin/sh\nexec '${process.execPath}' ${script} "$@"\n`);
  chmodSync(file(name), 0o755);
  return file(name);
}
/** A script that prints a line, starts a child, writes down both ids and its parent's; `isStubborn` ignores SIGTERM. */
function lasting(name: string, line: string, isStubborn = false): string {
  writeFileSync(
    file(`${name}.mjs`),
    `import { spawn } from 'node:child_process';
     import { writeFileSync } from 'node:fs';
     const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
     writeFileSync('${file(name)}.pids', JSON.stringify([process.pid, child.pid]));
     writeFileSync('${file(name)}.parent', String(process.ppid));
     ${isStubborn ? "process.on('SIGTERM', () => {});" : ''}
     console.log(${JSON.stringify(line)}, process.argv.slice(2).join(' '));
     setInterval(() => {}, 1000);`,
  );
  return program(name, `'${file(`${name}.mjs`)}'`);
}
const pidsOf = (name: string): number[] => JSON.parse(readFileSync(`${file(name)}.pids`, 'utf8')) as number[];

describe('a fixed address', () => {
  test('is open at once, without a slash at its end', async () => {
    open();
    expect(tunnel.state()).toEqual({ status: 'off' });
    await tunnel.start({ kind: 'fixed', publicUrl: 'https://records.example.org/' }, 1);
    expect(await stateWhere(isOpen)).toMatchObject({ address: 'https://records.example.org' });
    await tunnel.stop();
    expect(tunnel.state()).toEqual({ status: 'off' });
  });

  test.each([
    '',
    'ftp://a.example',
    'https://user:word@a.example',
    'https://a.example/#x',
    'https://a.example/x',
    'records.example.org',
  ])('is refused if it is none of the web: %j', async (publicUrl) => {
    await open().start({ kind: 'fixed', publicUrl }, 1);
    expect(await stateWhere(isFailed)).toEqual({
      status: 'failed',
      error: { code: 'tunnel.invalid_setting', params: { field: 'publicUrl' } },
      retryAt: null,
    });
  });
});

describe('cloudflared', () => {
  const control = file('orders');
  const settings = (orders: string): TunnelSettings => {
    writeFileSync(control, orders);
    return {
      kind: 'cloudflared',
      program: program('cloudflared', `'${source('../../../../test/fakes/cloudflared.ts')}' '${control}'`),
    };
  };

  test('is open when it has a name and a connection, and gets the port of the share listener', async () => {
    await open().start(settings(''), 4711);
    expect(await stateWhere(isOpen)).toMatchObject({ address: 'https://quiet-hearth-paper-lamp.trycloudflare.com' });
    const args = JSON.parse(readFileSync(`${control}.args`, 'utf8')) as string[];
    expect(args.join(' ')).toContain('--url http://127.0.0.1:4711');
    expect(args).toContain('--no-autoupdate');
  });

  test('is not open while its connection is lost', async () => {
    await open().start(settings('lost'), 4711);
    await stateWhere(isOpen);
    writeFileSync(`${control}.lost`, '');
    await stateWhere(({ status }) => status === 'starting');
    rmSync(`${control}.lost`);
    await stateWhere(isOpen);
    expect(states.map(({ status }) => status)).toEqual(['starting', 'open', 'starting', 'open']);
  });

  test('is tried again, later and later, when it gets no name', LONG, async () => {
    await open().start(settings('refused'), 4711);
    for (const delay of [1000, 2000, 4000]) {
      const failed = await stateWhere(isFailed);
      expect(failed).toMatchObject({ error: { code: 'tunnel.service_unreachable' } });
      expect(sleeping.map(({ ms }) => ms)).toContain(delay);
      const again = stateWhere(({ status }) => status === 'starting');
      wake(delay);
      await again;
    }
  });

  test('is ended and tried again when it says nothing', async () => {
    await open().start(settings('silent'), 4711);
    const failed = stateWhere(isFailed);
    while (!existsSync(`${control}.args`)) await systemClock.sleep(10);
    wake(OPENING_MS);
    expect(await failed).toMatchObject({ error: { code: 'tunnel.no_address', params: { program: 'cloudflared' } } });
  });

  test('is not tried again when it is not installed', async () => {
    await open().start({ kind: 'cloudflared', program: 'hearth-no-such-program' }, 1);
    expect(await stateWhere(isFailed)).toEqual({
      status: 'failed',
      error: { code: 'tunnel.program_missing', params: { program: 'hearth-no-such-program' } },
      retryAt: null,
    });
  });
});

describe('a command', () => {
  const command = (path: string): TunnelSettings => ({
    kind: 'command',
    command: [path, '--to', '{port}'],
    pattern: 'open at (\\S+)',
  });

  test('is open with the address that its pattern finds, and gets the port', async () => {
    await open().start(command(lasting('bore', 'open at https://bore.example:7001')), 4712);
    expect(await stateWhere(isOpen)).toMatchObject({ address: 'https://bore.example:7001' });
  });

  test('ends with all that it started when the tunnel is closed, even if it ignores the request', LONG, async () => {
    await open().start(command(lasting('stubborn', 'open at https://bore.example', true)), 1);
    await stateWhere(isOpen);
    const pids = pidsOf('stubborn');
    await tunnel.stop();
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(tunnel.state()).toEqual({ status: 'off' });
  });

  test('ends with all that it started when the core is killed', LONG, async () => {
    const path = lasting('orphan', 'open at https://bore.example');
    writeFileSync(
      file('core.mts'),
      `import { createTunnel } from '${source('./tunnel.ts')}';
       import { systemClock } from '${source('../../../platform/kernel/clock.ts')}';
       const tunnel = createTunnel({ clock: systemClock, onChange: ({ status }) => console.log(status) });
       await tunnel.start(${JSON.stringify(command(path))}, 1);`,
    );
    const core = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file('core.mts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const chunk of core.stdout) if (String(chunk).includes('open')) break;
    const pids = pidsOf('orphan');
    expect(pids.map(isRunning)).toEqual([true, true]);
    core.kill('SIGKILL');
    await once(core, 'exit');
    await Promise.all(pids.map(waitUntilEnded));
  });

  test('ends with all that it started when the process that watches it is killed', LONG, async () => {
    await open().start(command(lasting('unwatched', 'open at https://bore.example')), 1);
    await stateWhere(isOpen);
    const pids = pidsOf('unwatched');
    process.kill(Number(readFileSync(file('unwatched.parent'), 'utf8')), 'SIGKILL');
    expect(await stateWhere(isFailed)).toMatchObject({ error: { code: 'tunnel.program_ended' } });
    await Promise.all(pids.map(waitUntilEnded));
  });

  test('is started anew when it ends by itself', async () => {
    const script = file('short.mjs');
    writeFileSync(script, "console.log('open at https://bore.example'); setTimeout(() => process.exit(3), 20);");
    await open().start(command(program('short', `'${script}'`)), 1);
    expect(await stateWhere(isFailed)).toMatchObject({
      error: { code: 'tunnel.program_ended', params: { program: 'short' } },
      retryAt: expect.any(Number),
    });
    const again = stateWhere(isOpen);
    wake(1000);
    await again;
  });

  test('whose output would keep this process busy for years is ended', async () => {
    const script = file('hostile.mjs');
    writeFileSync(script, `console.log('${'a'.repeat(900)}!'); setInterval(() => undefined, 1000);`);
    const settings = { ...command(program('hostile', `'${script}'`)), pattern: '(https://\\S+)|(?:a+)+$' };
    await open().start(settings as TunnelSettings, 1);
    expect(await stateWhere(isFailed)).toMatchObject({
      error: { code: 'tunnel.invalid_setting', params: { field: 'pattern' } },
      retryAt: null,
    });
  });

  test.each([
    [{ pattern: '(' }, 'pattern'],
    [{ pattern: '' }, 'pattern'],
    [{ command: [] }, 'command'],
  ])('is refused with a wrong setting: %j', async (wrong, field) => {
    await open().start({ kind: 'command', command: ['x'], pattern: 'x', ...wrong }, 1);
    expect(await stateWhere(isFailed)).toMatchObject({ error: { code: 'tunnel.invalid_setting', params: { field } } });
  });
});

test('the time between attempts doubles up to a minute', () => {
  expect([1, 2, 3, 7, 8, 50].map(retryDelay)).toEqual([1000, 2000, 4000, 60_000, 60_000, 60_000]);
});

describe('ssh with wrong settings', () => {
  const right = {
    ...{ kind: 'ssh', host: 'a.example', port: 22, user: 'hearth', remotePort: 8080 },
    ...{ keyFile: null, knownHostsFile: null, remoteAddress: null, publicUrl: null },
  } as const;
  test.each([
    ['host', '-oProxyCommand=touch /tmp/x'],
    ['host', 'a b'],
    ['user', '-l'],
    ['port', 0],
    ['remotePort', 70_000],
    ['remoteAddress', '0.0.0.0 -x'],
    ['keyFile', 'relative/key'],
    ['knownHostsFile', '/tmp/"quoted"'],
    ['publicUrl', 'javascript:alert(1)'],
  ])('is refused: %s %j', async (field, value) => {
    await open().start({ ...right, [field]: value } as TunnelSettings, 1);
    expect(await stateWhere(isFailed)).toMatchObject({
      error: { code: 'tunnel.invalid_setting', params: { field } },
      retryAt: null,
    });
  });
});

describeWith({ programs: ['ssh', 'ssh-keygen', 'sshd'] }, 'ssh to a real server', () => {
  let server: SshServer, target: Server, port: number, remotePort: number;
  beforeAll(async () => {
    server = await makeSshServer();
    await server.start();
    target = createServer((_req, res) => res.end('from the share listener')).listen(0, '127.0.0.1');
    await once(target, 'listening');
    port = (target.address() as AddressInfo).port;
    remotePort = await freePort();
  });
  afterAll(async () => {
    await tunnel.stop();
    await server.close();
    target.close();
  });
  const settings = (changed: Partial<TunnelSettings & { kind: 'ssh' }> = {}): TunnelSettings => ({
    ...{ kind: 'ssh', host: '127.0.0.1', port: server.port, user: server.user, remotePort },
    ...{ keyFile: server.keyFile, knownHostsFile: server.knownHostsFile, remoteAddress: null, publicUrl: null },
    ...changed,
  });
  const read = (address: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get(address, { agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(text));
      }).on('error', reject);
    });

  test('passes requests on, and to nobody when it is closed', LONG, async () => {
    await open().start(settings(), port);
    const state = await stateWhere(isOpen);
    expect(state).toMatchObject({ address: `http://127.0.0.1:${remotePort}` });
    expect(await read(`http://127.0.0.1:${remotePort}`)).toBe('from the share listener');
    await tunnel.stop();
    await expect(read(`http://127.0.0.1:${remotePort}`)).rejects.toThrow('ECONNREFUSED');
  });

  test('reports the port that the server chose, or the address in front of it', LONG, async () => {
    await open().start(settings({ remotePort: 0 }), port);
    const state = await stateWhere(isOpen);
    expect(await read(state.status === 'open' ? state.address : '')).toBe('from the share listener');
    await tunnel.start(settings({ remotePort: 0, publicUrl: 'https://records.example.org/' }), port);
    expect(await stateWhere(isOpen)).toMatchObject({ address: 'https://records.example.org' });
  });

  test('comes back after the server was away', LONG, async () => {
    await open().start(settings(), port);
    await stateWhere(isOpen);
    await server.stop();
    expect(await stateWhere(isFailed)).toMatchObject({ retryAt: expect.any(Number) });
    await server.start();
    const again = stateWhere(isOpen);
    wake(1000);
    await again;
    expect(await read(`http://127.0.0.1:${remotePort}`)).toBe('from the share listener');
  });

  test('does not connect to a server with an unknown or another key', LONG, async () => {
    const host = '127.0.0.1';
    await open().start(settings({ knownHostsFile: server.emptyHostsFile }), port);
    const failed = { status: 'failed', retryAt: null };
    expect(await stateWhere(isFailed)).toEqual({ ...failed, error: { code: 'tunnel.host_unknown', params: { host } } });
    await tunnel.start(settings({ knownHostsFile: server.changedHostsFile }), port);
    expect(await stateWhere(isFailed)).toEqual({ ...failed, error: { code: 'tunnel.host_changed', params: { host } } });
  });

  test('says that the key is refused, the port taken, or that there is no server', LONG, async () => {
    await open().start(settings({ keyFile: server.otherKeyFile }), port);
    expect(await stateWhere(isFailed)).toMatchObject({ error: { code: 'tunnel.sign_in_refused' }, retryAt: null });
    await tunnel.start(settings({ remotePort: port }), port);
    expect(await stateWhere(isFailed)).toMatchObject({ error: { code: 'tunnel.port_refused' } });
    await tunnel.start(settings({ port: await freePort() }), port);
    const unknown = await stateWhere(isFailed);
    expect(unknown).toMatchObject({ error: { code: 'tunnel.host_unreachable' } });
  });
});
