import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../src-main/platform/kernel/find-program.ts';

/** A port of this computer on which nothing listens at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Processes that a process started, and those that they started: sshd has one for each connection. */
function descendantsOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (parent: number): number[] =>
    rows.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** OpenSSH's server on the loopback interface, run by this user for this user, with keys of its own. */
export interface SshServer {
  port: number;
  user: string;
  /** A private key that it accepts, and one that it does not. */
  keyFile: string;
  otherKeyFile: string;
  /** Files with its key, with another one, and without any. */
  knownHostsFile: string;
  changedHostsFile: string;
  emptyHostsFile: string;
  start(): Promise<void>;
  /** Ends the server and all connections to it. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Makes the keys and the configuration of a server, which is not started. */
export async function makeSshServer(): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-sshd-'));
  const file = (name: string): string => join(folder, name);
  const port = await freePort();
  for (const name of ['host', 'other-host', 'client', 'other-client'])
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  const publicKey = (name: string): string =>
    readFileSync(file(`${name}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ');
  writeFileSync(file('authorized'), `${publicKey('client')}\n`);
  writeFileSync(file('known'), `[127.0.0.1]:${port} ${publicKey('host')}\n`);
  writeFileSync(file('changed'), `[127.0.0.1]:${port} ${publicKey('other-host')}\n`);
  writeFileSync(file('empty'), '');
  const config = [
    // It would open a taken port of IPv4 for IPv6 alone.
    'AddressFamily inet',
    ...['UsePAM no', 'StrictModes no', 'PasswordAuthentication no', 'AllowTcpForwarding yes', 'GatewayPorts no'],
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `PidFile ${file('pid')}`,
    `AuthorizedKeysFile ${file('authorized')}`,
  ];
  writeFileSync(file('config'), `${config.join('\n')}\n`);
  const program = findProgram('sshd') ?? 'sshd';
  // Debian's server needs it when root starts it; otherwise its service makes it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  let server: ChildProcess | null = null;
  const stop = async (): Promise<void> => {
    const ending = server;
    server = null;
    if (!ending?.pid || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    for (const pid of [ending.pid, ...descendantsOf(ending.pid)]) process.kill(pid, 'SIGKILL');
    await ended;
  };
  return {
    ...{ port, stop },
    user: userInfo().username,
    keyFile: file('client'),
    otherKeyFile: file('other-client'),
    knownHostsFile: file('known'),
    changedHostsFile: file('changed'),
    emptyHostsFile: file('empty'),
    async start() {
      const child = spawn(program, ['-D', '-e', '-f', file('config')], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      server = child;
      await new Promise<void>((resolve, reject) => {
        let log = '';
        child.once('exit', () => reject(new Error(`sshd ended: ${log}`)));
        child.stderr.on('data', (chunk: Buffer) => {
          log += chunk.toString();
          if (log.includes('Server listening')) resolve();
        });
      });
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
