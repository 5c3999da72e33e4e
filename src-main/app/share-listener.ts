import type { Server } from 'node:http';
import PQueue from 'p-queue';
import type { ShareService } from '../../src-shared/contract/shares.ts';
import { TRIAL_MINUTES } from '../../src-shared/contract/share-limits.ts';
import type { ShareListener } from '../features/shares/service.ts';
import type { Config } from '../platform/config/config.ts';
import { toTimestamp, type Clock } from '../platform/kernel/clock.ts';
import type { Log } from '../platform/kernel/log.ts';
import { close, listen } from './listen.ts';
import { fixedAddress, type ShareTunnel } from './share-tunnel.ts';

/** How often overdue sessions are ended, and the service stops after its last share. */
const TIDY_MS = 30_000;
/** How long somebody who creates a share waits for the address in its link. */
const ADDRESS_MS = 20_000;
const MINUTE_MS = 60_000;

export interface EmbeddedListener extends ShareListener {
  /** Address with the actual port; null while it does not run. */
  url(): string | null;
  close(): Promise<void>;
}

export interface ListenerDeps {
  config: Config;
  clock: Clock;
  log: Log;
  tunnel: ShareTunnel;
  /** Creates a server that does not listen yet. */
  createServer(): Promise<Server>;
  hasOpenShares(): boolean;
  /** Whether it must not run, whatever the settings say. */
  isSafeMode: boolean;
  /** Ends what is overdue. */
  tidy(): void;
  /** Saves whether the service is turned on. */
  save(isOn: boolean): void;
  /** Called after it started or ended. */
  onChange(): void;
}

/** The service while it runs, and what is known about it. */
interface Run {
  running: { server: Server; url: string } | null;
  hasFailed: boolean;
  /** In milliseconds since the epoch. */
  trialUntil: number;
}

/**
 * The service for recipients inside the household's process, with a port of its own and the tunnel that leads to it. It
 * runs when the settings and the shares ask for it. Hearth works without it when its port is taken.
 */
export function createShareListener(deps: ListenerDeps): EmbeddedListener {
  const { config, clock, log, tunnel } = deps;
  const steps = new PQueue({ concurrency: 1 });
  const stopped = new AbortController();
  const run: Run = { running: null, hasFailed: false, trialUntil: 0 };

  async function adjust(): Promise<void> {
    const isWanted = !stopped.signal.aborted && wants(deps, run);
    const { running } = run;
    if (running && !isWanted) {
      run.running = null;
      await Promise.all([tunnel.follow(null), close(running.server, clock)]);
    } else if (!running && isWanted) await start(deps, run);
    await tunnel.follow(run.running ? portOf(config, run) : null);
    if (running !== run.running) deps.onChange();
  }
  async function keepTidy(): Promise<void> {
    while (await clock.sleep(TIDY_MS, stopped.signal)) {
      deps.tidy();
      await steps.add(adjust);
    }
  }
  void keepTidy().catch((err: unknown) => log.error({ err }, 'sessions of recipients could not be tidied'));
  return {
    refresh: () => steps.add(adjust),
    addressed: () => Promise.race([tunnel.settled(), clock.sleep(ADDRESS_MS, stopped.signal)]).then(() => undefined),
    knownAddress: () => knownAddress(describeRun(deps, run)),
    url: () => run.running?.url ?? null,
    status: () => describeRun(deps, run),
    statusAtRest: () => describeAtRest(deps, run),
    async turnOn() {
      run.trialUntil = clock.now() + TRIAL_MINUTES * MINUTE_MS;
      deps.save(true);
      tunnel.retry();
      await steps.add(adjust);
    },
    async turnOff() {
      run.trialUntil = 0;
      deps.save(false);
      await steps.add(adjust);
    },
    async close() {
      stopped.abort();
      await steps.add(adjust);
    },
  };
}

async function start({ createServer, config, log }: ListenerDeps, run: Run): Promise<void> {
  const server = await createServer();
  try {
    run.running = { server, url: await listen(server, config['share.port'], config['http.host']) };
    run.hasFailed = false;
  } catch (error) {
    if (!run.hasFailed)
      log.warn(
        { code: (error as NodeJS.ErrnoException).code },
        'the service for recipients of shares could not open its port; everything else works',
      );
    run.hasFailed = true;
  }
}

function wants({ config, clock, hasOpenShares, isSafeMode }: ListenerDeps, { trialUntil }: Run): boolean {
  if (isSafeMode) return false;
  const choice = config['share.listen'];
  return choice === 'always' || (choice === 'while_open' && (clock.now() < trialUntil || hasOpenShares()));
}

const portOf = (config: Config, { running }: Run): number =>
  running ? Number(new URL(running.url).port) : config['share.port'];

function describeRun({ config, clock, tunnel, hasOpenShares }: ListenerDeps, run: Run): ShareService {
  const port = portOf(config, run);
  const isTrial = config['share.listen'] === 'while_open' && clock.now() < run.trialUntil && !hasOpenShares();
  return {
    state: stateOf(config, run),
    port,
    url: run.running?.url ?? null,
    public_url: tunnel.address() || (run.running?.url ?? `http://127.0.0.1:${port}`),
    tunnel: tunnel.report(),
    trial_until: isTrial ? toTimestamp(run.trialUntil) : null,
  };
}

const knownAddress = ({ state, tunnel, public_url }: ShareService): string | null =>
  state === 'running' && (tunnel.kind === 'fixed' || tunnel.state === 'open') ? public_url : null;

/** While the service depends on shares, what it would be without any: nothing of it tells whether there is one. */
function describeAtRest(deps: ListenerDeps, run: Run): ShareService {
  const { config } = deps;
  if (config['share.listen'] !== 'while_open') return describeRun(deps, run);
  const port = config['share.port'];
  const kind = config['share.tunnel'];
  return {
    state: 'waiting',
    port,
    url: null,
    public_url: (kind === 'fixed' && fixedAddress(config)) || `http://127.0.0.1:${port}`,
    tunnel: { kind, state: 'off', address: null, since: null, error: null, retry_at: null },
    trial_until: null,
  };
}

function stateOf(config: Config, { running, hasFailed }: Run): ShareService['state'] {
  if (running) return 'running';
  if (config['share.listen'] === 'never') return 'off';
  return hasFailed ? 'failed' : 'waiting';
}
