import { devNull } from 'node:os';
import type { ErrorReference } from '../../../../src-shared/contract/errors.ts';
import type { TunnelNews, TunnelProgram, TunnelSettings } from './tunnel-program.ts';

type SshSettings = TunnelSettings & { kind: 'ssh' };

/** Seconds until a server that does not answer counts as gone: three questions, and the time to connect. */
const ALIVE = { interval: 15, count: 3, connect: 15 } as const;

/** What ssh says (OpenSSH 6 and later), by its cause. A changed key is followed by the line for an unknown one. */
const CAUSES: readonly [RegExp, Extract<ErrorReference['code'], `tunnel.${string}`>, 'final' | 'again'][] = [
  [/Could not resolve hostname/, 'tunnel.host_not_found', 'again'],
  [/REMOTE HOST IDENTIFICATION HAS CHANGED/, 'tunnel.host_changed', 'final'],
  [/No \S+ host key is known for|Host key verification failed/, 'tunnel.host_unknown', 'final'],
  [/Permission denied \(|Too many authentication failures/, 'tunnel.sign_in_refused', 'final'],
  [/remote port forwarding failed/, 'tunnel.port_refused', 'again'],
  [/^ssh: connect to host .*: |Connection (?:closed|reset) by|^Timeout, server/, 'tunnel.host_unreachable', 'again'],
];
const OPENED = /remote forward success for: listen (?:\S+:)?(\d+), connect/;
const ALLOCATED = /Allocated port (\d+) for remote forward/;

/**
 * Lets an SSH server listen for recipients and pass them on (`ssh -R`). The server's key must be known already; the
 * configuration of this user is not read.
 */
export function sshTunnel(settings: SshSettings, port: number): TunnelProgram {
  const { host } = settings;
  let isExplained = false;
  return {
    command: 'ssh',
    args: argumentsOf(settings, port),
    read(line): TunnelNews | null {
      // A port that the server chose has a line of its own, after that of port 0.
      const opened = ALLOCATED.exec(line)?.[1] ?? OPENED.exec(line)?.[1] ?? '0';
      if (opened !== '0') return { address: settings.publicUrl ?? `http://${hostInUrl(host)}:${opened}` };
      if (isExplained || line.startsWith('debug1:')) return null;
      const cause = CAUSES.find(([pattern]) => pattern.test(line));
      if (!cause) return null;
      isExplained = true;
      return { error: { code: cause[1], params: { host } }, isFinal: cause[2] === 'final' };
    },
  };
}

const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function argumentsOf(settings: SshSettings, port: number): string[] {
  const { host, user, keyFile, knownHostsFile, remotePort, remoteAddress } = settings;
  const options = {
    BatchMode: 'yes',
    StrictHostKeyChecking: 'yes',
    ExitOnForwardFailure: 'yes',
    ServerAliveInterval: ALIVE.interval,
    ServerAliveCountMax: ALIVE.count,
    ConnectTimeout: ALIVE.connect,
    ControlPath: 'none',
    ForwardAgent: 'no',
    UpdateHostKeys: 'no',
    // Only its messages for debugging say that the port is open.
    LogLevel: 'DEBUG1',
    ...(keyFile !== null && { IdentitiesOnly: 'yes', IdentityFile: quoted(keyFile) }),
    ...(knownHostsFile !== null && { UserKnownHostsFile: quoted(knownHostsFile), GlobalKnownHostsFile: devNull }),
  };
  const listen = remoteAddress === null ? '' : `${hostInUrl(remoteAddress)}:`;
  return [
    ...['-N', '-T', '-F', 'none'],
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...['-p', String(settings.port), '-l', user, '-R', `${listen}${remotePort}:127.0.0.1:${port}`, '--', host],
  ];
}

/** A path in an option: ssh takes blanks as separators, and `%` and `${` for placeholders. */
const quoted = (path: string): string => `"${path.replaceAll('%', '%%')}"`;
