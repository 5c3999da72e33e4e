import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** One connection that the device made. */
export interface Connection {
  host: string;
  port: number;
  profile: 'none' | 'static-rsa' | 'ecdhe';
  fault: string;
  suite: string;
  resumed: boolean;
  heapPeak: number;
}

/** One symbol of the device's own status page. */
export interface TickerStatus {
  symbol: string;
  valid: boolean;
  fresh: boolean;
  error: string;
  price?: number;
  age?: number;
}

/** The part of the status page that tests look at. */
export interface DeviceStatus {
  reset: string;
  hostname: string;
  ssid: string;
  connected: boolean;
  tickers: TickerStatus[];
}

/** A running simulator: one simulated device. */
export interface Device {
  pty: string;
  web: string;
  control: string;
  connections: Connection[];
  logs: string[];
  /** The device's settings through its own page; waits for the first restart, which a new Wi-Fi needs. */
  configure(settings: unknown): Promise<void>;
  tickers(): Promise<TickerStatus[]>;
  status(): Promise<DeviceStatus>;
  fault(query: string): Promise<void>;
  state(): Promise<{ virtualMs: number; heapFree: number; heapLargest: number; backlight: number; code: string }>;
  /** Ends it with SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `ticker-sim`; without a folder its files go at the end. */
export async function startDevice(program: string, args: readonly string[], kept?: string): Promise<Device> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'device-'));
  const child = spawn(program, ['--state', folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const lines = createInterface({ input: child.stdout });
  const connections: Connection[] = [];
  const logs: string[] = [];
  const where = await new Promise<{ pty: string; web: string; control: string }>((resolve, reject) => {
    lines.on('line', (line) => {
      const said = JSON.parse(line) as { pty?: string; connection?: Connection; log?: string };
      if (said.pty !== undefined) resolve(said as { pty: string; web: string; control: string });
      if (said.connection) connections.push(said.connection);
      if (said.log !== undefined) logs.push(said.log);
    });
    void ended.then((code) => reject(new Error(`ticker-sim ended with ${code}: ${errors}`)));
  });
  const ask = async (url: string, init?: RequestInit): Promise<Response> => {
    const reply = await fetch(url, {
      ...init,
      headers: { ...init?.headers, connection: 'close' },
      signal: AbortSignal.timeout(10_000),
    });
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
    return reply;
  };
  const status = async (): Promise<DeviceStatus> =>
    (await (await ask(`${where.web}/api/status`)).json()) as DeviceStatus;
  /** A device that restarts closes its connection without a reply, as the chips do. */
  const statusUnlessRestarting = (): Promise<DeviceStatus | undefined> =>
    status().catch((error: unknown) => {
      if (error instanceof TypeError) return undefined;
      throw error;
    });
  return {
    ...where,
    connections,
    logs,
    async configure(settings) {
      const { reboot } = (await (
        await ask(`${where.web}/api/config`, {
          method: 'POST',
          headers: { 'X-Hearth': '1' },
          body: JSON.stringify(settings),
        })
      ).json()) as { reboot: boolean };
      if (reboot)
        await until(async () => (await statusUnlessRestarting())?.reset === 'restart', 'the device to restart');
    },
    status,
    tickers: async () => (await status()).tickers,
    fault: async (query) => void (await ask(`${where.control}/faults?${query}`, { method: 'POST' })),
    state: async () =>
      (await (await ask(`${where.control}/state`)).json()) as {
        virtualMs: number;
        heapFree: number;
        heapLargest: number;
        backlight: number;
        code: string;
      },
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

const PATIENCE_MS = 30_000;

/** Waits for something to become true. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
