import type { TunnelKind } from '../../src-shared/contract/setting-keys.ts';
import type { Tunnel as TunnelReport } from '../../src-shared/contract/tunnel.ts';
import { createTunnel, type TunnelSettings, type TunnelState } from '../features/shares/tunnel/tunnel.ts';
import { SYSTEM_ACTOR, type Audit } from '../platform/audit/audit.ts';
import type { Config } from '../platform/config/config.ts';
import { toTimestamp, type Clock } from '../platform/kernel/clock.ts';
import type { Log } from '../platform/kernel/log.ts';

/** The tunnel of the settings, which is open as long as the service for recipients runs. */
export interface ShareTunnel {
  /**
   * Follows the service: its port, or null once it has ended. Resolves when a tunnel that is not wanted any more has
   * ended with its program.
   */
  follow(port: number | null): Promise<void>;
  /** Lets the next `follow` start a tunnel anew that has failed. */
  retry(): void;
  report(): TunnelReport;
  /** Scheme, host and port of links; empty if only this computer is reached, or before the address is known. */
  address(): string;
  /** Addresses whose `X-Forwarded-For` is believed. */
  proxies(): readonly string[];
  /** Resolves when it is not being opened. */
  settled(): Promise<void>;
}

export interface ShareTunnelDeps {
  config: Config;
  clock: Clock;
  log: Log;
  audit: Audit;
  onChange(): void;
}

/** Creates the tunnel without opening it. */
export function createShareTunnel({ config, clock, log, audit, onChange }: ShareTunnelDeps): ShareTunnel {
  let wanted = '';
  let lastAddress = '';
  let published: TunnelKind | null = null;
  const waiting: (() => void)[] = [];
  const record = (action: 'share.tunnel.open' | 'share.tunnel.close', kind: TunnelKind): void =>
    audit.record({ action, resourceType: 'share', details: { kind } }, SYSTEM_ACTOR);
  const note = (state: TunnelState): void => {
    if (state.status === 'open') lastAddress = state.address;
    if (state.status === 'off') lastAddress = '';
    if (state.status === 'failed') log.warn({ code: state.error.code }, 'the tunnel for recipients of shares failed');
    const kind = config['share.tunnel'];
    if (published === null && state.status === 'open' && kind !== 'fixed') {
      published = kind;
      record('share.tunnel.open', kind);
    } else if (published !== null && state.status === 'off') {
      record('share.tunnel.close', published);
      published = null;
    }
  };
  const tunnel = createTunnel({
    clock,
    onChange(state) {
      note(state);
      if (state.status !== 'starting') for (const resolve of waiting.splice(0)) resolve();
      onChange();
    },
  });
  return {
    async follow(port) {
      const settings = port === null ? null : tunnelSettings(config);
      const now = settings === null ? '' : JSON.stringify([settings, port]);
      if (now === wanted) return;
      wanted = now;
      if (settings === null || port === null) await tunnel.stop();
      else await tunnel.start(settings, port);
    },
    retry() {
      if (tunnel.state().status === 'failed') wanted = 'anew';
    },
    report: () => ({ kind: config['share.tunnel'], ...reportOf(tunnel.state()) }),
    address: () => (config['share.tunnel'] === 'fixed' ? fixedAddress(config) : lastAddress),
    proxies: () => proxiesOf(config, tunnel.state()),
    settled: () =>
      new Promise((resolve) => {
        if (tunnel.state().status === 'starting') waiting.push(resolve);
        else resolve();
      }),
  };
}

/** The fixed address of the settings without a trailing slash; empty without one. */
export const fixedAddress = (config: Config): string => config['share.public_base_url'].replace(/\/+$/, '');

/** Addresses of the proxies that the settings name. */
export const listedProxies = (list: string): string[] => list.split(',').filter((address) => address !== '');

/** The settings in the form of the tunnel's module; null if recipients use this computer. */
function tunnelSettings(config: Config): TunnelSettings | null {
  const publicUrl = fixedAddress(config);
  switch (config['share.tunnel']) {
    case 'fixed':
      return publicUrl === '' ? null : { kind: 'fixed', publicUrl };
    case 'cloudflared':
      return { kind: 'cloudflared' };
    case 'command':
      return {
        kind: 'command',
        command: partsOf(config['share.tunnel_command']),
        pattern: config['share.tunnel_pattern'],
      };
    case 'ssh':
      return {
        kind: 'ssh',
        host: config['share.ssh_host'],
        port: config['share.ssh_port'],
        user: config['share.ssh_user'],
        keyFile: config['share.ssh_key_file'] || null,
        knownHostsFile: config['share.ssh_known_hosts'] || null,
        remotePort: config['share.ssh_remote_port'],
        remoteAddress: config['share.ssh_remote_address'] || null,
        publicUrl: publicUrl || null,
      };
  }
}

/** A program and its arguments: one in a line; blanks separate them if there is only one line. */
function partsOf(command: string): string[] {
  const lines = command.split(/[\r\n]+/);
  return (lines.length > 1 ? lines : command.split(/\s+/)).map((part) => part.trim()).filter((part) => part !== '');
}

/**
 * cloudflared connects from this computer and writes the address of the visitor behind all others. ssh passes on what
 * the visitor wrote, so a list counts only if there is a proxy in front of it, which the public address says.
 */
function proxiesOf(config: Config, { status }: TunnelState): readonly string[] {
  const kind = config['share.tunnel'];
  if (kind === 'cloudflared') return status === 'open' ? ['127.0.0.1'] : [];
  if (kind === 'ssh' && fixedAddress(config) === '') return [];
  return listedProxies(config['share.trusted_proxy']);
}

function reportOf(state: TunnelState): Omit<TunnelReport, 'kind'> {
  const nothing = { address: null, since: null, error: null, retry_at: null };
  switch (state.status) {
    case 'off':
      return { ...nothing, state: 'off' };
    case 'starting':
      return { ...nothing, state: 'opening' };
    case 'open':
      return { ...nothing, state: 'open', address: state.address, since: toTimestamp(state.since) };
    case 'failed':
      return {
        ...nothing,
        state: 'failed',
        error: state.error,
        retry_at: state.retryAt === null ? null : toTimestamp(state.retryAt),
      };
  }
}
