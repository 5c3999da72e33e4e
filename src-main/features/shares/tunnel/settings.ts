import { isAbsolute } from 'node:path';
import { fail } from '../../../platform/kernel/errors.ts';
import { cloudflaredTunnel } from './cloudflared.ts';
import { commandTunnel } from './command.ts';
import { toPublicUrl } from './public-url.ts';
import { sshTunnel } from './ssh.ts';
import type { TunnelProgram, TunnelSettings } from './tunnel-program.ts';

/** Names and addresses that no program can take for an option or a placeholder. */
const HOST = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$|^[0-9a-f:.]*:[0-9a-f:.]+$/i;
const USER = /^[a-z0-9_][a-z0-9._@+-]*$/i;
const REMOTE_ADDRESS = /^(?:\*|[a-z0-9._:-]+)$/i;
const MAX_PATTERN = 300;

const isPort = (port: number, least: 0 | 1): boolean => Number.isInteger(port) && port >= least && port <= 65_535;
/** Quotes and line breaks can't be written into an option of ssh. */
const isPath = (path: string): boolean => isAbsolute(path) && !/["\r\n]|\$\{/.test(path);

/**
 * The program for a tunnel to a port of this computer, or the address if none is needed.
 * @throws `tunnel.invalid_setting` with the name of the field
 */
export function tunnelFor(settings: TunnelSettings, port: number): TunnelProgram | { publicUrl: string } {
  switch (settings.kind) {
    case 'cloudflared':
      return cloudflaredTunnel(settings.program ?? 'cloudflared', port);
    case 'ssh': {
      requireSsh(settings);
      const publicUrl = settings.publicUrl === null ? null : requireUrl(settings.publicUrl);
      return sshTunnel({ ...settings, publicUrl }, port);
    }
    case 'command':
      if ((settings.command[0] ?? '') === '') throw fail('tunnel.invalid_setting', { field: 'command' });
      return commandTunnel(settings.command, toPattern(settings.pattern), port);
    case 'fixed':
      return { publicUrl: requireUrl(settings.publicUrl) };
  }
}

function requireSsh(settings: TunnelSettings & { kind: 'ssh' }): void {
  const { host, user, port, remotePort, remoteAddress, keyFile, knownHostsFile } = settings;
  const checks = {
    host: HOST.test(host),
    user: USER.test(user),
    port: isPort(port, 1),
    remotePort: isPort(remotePort, 0),
    remoteAddress: remoteAddress === null || REMOTE_ADDRESS.test(remoteAddress),
    keyFile: keyFile === null || isPath(keyFile),
    knownHostsFile: knownHostsFile === null || isPath(knownHostsFile),
  };
  const wrong = Object.entries(checks).find(([, isRight]) => !isRight);
  if (wrong) throw fail('tunnel.invalid_setting', { field: wrong[0] });
}

function requireUrl(text: string): string {
  const url = toPublicUrl(text);
  if (url === null) throw fail('tunnel.invalid_setting', { field: 'publicUrl' });
  return url;
}

function toPattern(text: string): RegExp {
  if (text === '' || text.length > MAX_PATTERN) throw fail('tunnel.invalid_setting', { field: 'pattern' });
  try {
    return new RegExp(text, 'u');
  } catch (error) {
    throw fail('tunnel.invalid_setting', { field: 'pattern' }, error);
  }
}
