import { existsSync } from 'node:fs';
import { auth } from '../../src-shared/contract/auth.ts';
import { DICOM_WEB_PATH } from '../../src-shared/contract/dicom-web.ts';
import { vaultLock } from '../../src-shared/contract/vault-lock.ts';
import { lockedVaultRoutes } from '../features/vault-lock/routes.ts';
import type { Config } from '../platform/config/config.ts';
import { configFolder } from '../platform/config/load.ts';
import { createApp } from '../platform/http/app.ts';
import { bind, type BindDeps } from '../platform/http/bind.ts';
import { createLimitedServer } from '../platform/http/server.ts';
import { requireUnlocked } from '../platform/http/vault-gate.ts';
import { requireWindow } from '../platform/http/window-key.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import type { Log } from '../platform/kernel/log.ts';
import { keepGuessTimes } from '../platform/secrets/guess-times.ts';
import type { ClosedVault } from './closed-vault.ts';
import { RENDERER } from './compose-http.ts';
import { close, listen } from './listen.ts';

/** What listens in place of the core while an encrypted vault waits for its password, or is being switched. */
export interface LockedCore {
  /** Address with the actual port. */
  url: string;
  stop(): Promise<void>;
}

const { health } = auth;

/** A vault that waits for its password. */
interface Waiting extends Pick<ClosedVault, 'state' | 'unlock' | 'cancel'> {
  /** Whether another vault was open before, which can be opened again instead. */
  canGoBack(): boolean;
  /** Returns at once, and whether there is another vault. */
  goBack(): boolean;
}

/**
 * Serves the page with the lock, the health check and the endpoints of the lock, and nothing else.
 */
export async function startLockedCore(
  { config, windowKey, log }: { config: Config; windowKey: string | null; log: Log },
  { canGoBack, goBack, ...vault }: Waiting,
): Promise<LockedCore> {
  const clock = systemClock;
  const deps = publicDeps(log);
  const guesses = keepGuessTimes(configFolder(), config['vault.path']);
  const app = createApp({
    publicHost: config['http.public_host'],
    guards: [
      ...(windowKey === null ? [] : [requireWindow(windowKey, [DICOM_WEB_PATH])]),
      requireUnlocked(Object.values(vaultLock).map(({ path }) => path)),
    ],
    routers: [
      bind({ health }, { health: () => ({ status: 'locked', mode: 'core' as const }) }, deps),
      bind(vaultLock, lockedVaultRoutes({ ...vault, clock, guesses, canGoBack, goBack }), deps),
    ],
    rendererFolder: existsSync(RENDERER) ? RENDERER : null,
    log: log.child('http'),
  });
  const limits = { requestMs: config['http.request_timeout'] * 1000, connections: config['http.max_connections'] };
  const server = createLimitedServer(app, clock, limits);
  const url = await listen(server, config['http.port'], config['http.host']);
  log.info({ mode: 'locked' }, 'waiting for the password of the vault');
  return { url, stop: () => close(server, clock) };
}

/** Accounts are in the vault, so every caller is a stranger, and there is nobody to keep a record for. */
const publicDeps = (log: Log): BindDeps => ({
  mode: 'core',
  access: { require: () => undefined },
  audit: { record: () => undefined },
  log,
  resolveCaller: (req) => ({ kind: 'nobody', ip: req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown' }),
  cookies: NONE,
  signIn: NONE,
  device: NONE,
  recipient: NONE,
  readBody: null,
  receive: NONE,
});

/** Nobody has a cookie of a vault that is locked, and nobody sends files. */
function NONE(): never {
  throw new Error('No endpoint of a locked vault uses this.');
}
