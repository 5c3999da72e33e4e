import { devNull } from 'node:os';
import type { TunnelNews, TunnelProgram } from './tunnel-program.ts';

/** The address in the box that cloudflared draws: `INF |  https://four-words.trycloudflare.com  |`. */
const ADDRESS = /\|\s+(https:\/\/[a-z0-9-]+\.trycloudflare\.com)\s+\|/;
/** `INF Registered tunnel connection connIndex=0 …`; before 2023: `INF Connection 5e91… registered connIndex=0 …`. */
const REGISTERED = /\bINF (?:Registered tunnel connection|Connection [0-9a-f-]+ registered) .*?\bconnIndex=(\d{1,3})\b/;
/** `INF Unregistered tunnel connection connIndex=0`, `ERR Connection terminated error="…" connIndex=0`. */
const LOST = /\b(?:Unregistered tunnel connection|Connection terminated)\b.*?\bconnIndex=(\d{1,3})\b/;
/** The request for a name failed: no network, or too many requests. */
const REFUSED =
  /failed to request quick Tunnel|Error unmarshaling QuickTunnel response|failed to unmarshal quick Tunnel/;

/** A quick tunnel of Cloudflare: a random name under trycloudflare.com, without an account. */
export function cloudflaredTunnel(program: string, port: number): TunnelProgram {
  let address: string | null = null;
  const connections = new Set<string>();
  return {
    command: program,
    // A configuration of this user would change what is exposed, and quick tunnels refuse to start with one.
    args: ['tunnel', '--no-autoupdate', '--config', devNull, '--url', `http://127.0.0.1:${port}`],
    read(line): TunnelNews | null {
      const found = ADDRESS.exec(line)?.[1];
      if (found !== undefined) address = found;
      const registered = REGISTERED.exec(line)?.[1];
      if (registered !== undefined) connections.add(registered);
      const lost = LOST.exec(line)?.[1];
      if (lost !== undefined && connections.delete(lost) && connections.size === 0) return { address: null };
      if (REFUSED.test(line)) return { error: { code: 'tunnel.service_unreachable' } };
      const isNew = found !== undefined || registered !== undefined;
      return isNew && address !== null && connections.size > 0 ? { address } : null;
    },
  };
}
