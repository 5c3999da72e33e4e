import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { SHARE_PATH } from '../../src-shared/contract/share-limits.ts';
import type { ShareAction } from '../../src-shared/contract/shares.ts';
import { healthLinkReaderRoutes } from '../features/shares/health-link/routes.ts';
import { recipientRoutes } from '../features/shares/routes.ts';
import type { Recipients } from '../features/shares/service.ts';
import { RECIPIENT_ACCESS } from '../platform/access/access.ts';
import type { Config } from '../platform/config/config.ts';
import { createSigner } from '../platform/config/secret-key.ts';
import { bind, bindPreflights, type BindDeps } from '../platform/http/bind.ts';
import { bindLater } from '../platform/http/bind-later.ts';
import { addressGroup, clientAddress, isLoopback } from '../platform/http/client-address.ts';
import { createRecipientCookies } from '../platform/http/recipient-cookies.ts';
import { createLimitedServer } from '../platform/http/server.ts';
import { createShareApp, isSecureRequest, readRecipientBody } from '../platform/http/share-app.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import type { Log } from '../platform/kernel/log.ts';

const PAGE = fileURLToPath(new URL('../../dist/share', import.meta.url));
/** Recipients send codes; nothing of theirs takes longer to arrive. */
const MAX_REQUEST_MS = 15_000;
/** Time until the first byte of a connection: browsers send a request at once, or open one in advance and try again. */
const SILENT_MS = 5_000;
/** Connections of one address: a browser opens six, and a practice has several people behind one address. */
const MAX_OF_ADDRESS = 100;

/** How recipients reach the service; asked anew for every request, since settings and tunnels change. */
export interface PublicSide {
  /** Scheme, host and port in links; empty if only this computer is reached. */
  publicAddress(): string;
  /** Addresses of proxies, whose `X-Forwarded-For` is believed. */
  proxies(): readonly string[];
}

export interface RecipientHttpDeps {
  recipients: Recipients;
  vaultKey: Buffer;
  config: Config;
  clock: Clock;
  log: Log;
  side: PublicSide;
}

/** Binds what recipients may call to the household's own API. */
export function bindRecipients(deps: RecipientHttpDeps): ReturnType<typeof bind> {
  const recipientsLater = { roots: [SHARE_PATH], load: () => loadRecipientContract().then(({ share }) => share) };
  return bindLater(recipientsLater, recipientRoutes(deps.recipients), bindDeps(deps, 'core'));
}

const loadRecipientContract = () => import('../../src-shared/contract/share.ts');

/** Creates the server for strangers without starting to listen. */
export async function createShareServer(deps: RecipientHttpDeps): Promise<Server> {
  const { config, clock, log, side } = deps;
  const [{ auth: authContract }, { healthLinkReader: readerContract }, { share: recipientContract }] =
    await Promise.all([
      import('../../src-shared/contract/auth.ts'),
      import('../../src-shared/contract/health-links.ts'),
      loadRecipientContract(),
    ]);
  const health = bind(
    { health: authContract.health },
    { health: () => ({ status: 'ok', mode: 'share' as const }) },
    bindDeps(deps, 'share'),
  );
  // Programs of others reach this service only, never the address of the household.
  const reader = bind(
    readerContract,
    healthLinkReaderRoutes(deps.recipients.healthLinks, () => side.publicAddress()),
    bindDeps(deps, 'share'),
  );
  const app = createShareApp({
    routers: [health, bind(recipientContract, recipientRoutes(deps.recipients), bindDeps(deps, 'share')), reader],
    preflights: bindPreflights(readerContract),
    pageFolder: existsSync(PAGE) ? PAGE : null,
    publicHosts: () => [config['http.public_host'], hostOf(side.publicAddress())],
    isSecure: (req) => isSecureRequest(req, side.publicAddress()),
    log: log.child('share'),
  });
  const requestMs = Math.min(config['http.request_timeout'] * 1000, MAX_REQUEST_MS);
  const max = config['http.max_connections'];
  const connections = {
    ...{ max, maxOfAddress: Math.min(MAX_OF_ADDRESS, max), maxUnfinished: Math.ceil(max / 2), silentMs: SILENT_MS },
    groupOf: addressGroup,
    // Programs of tunnels run on this computer.
    isShared: (peer: string) => isLoopback(peer) || isListed(side, peer),
  };
  return createLimitedServer(app, clock, { requestMs, connections });
}

const isListed = (side: PublicSide, peer: string): boolean =>
  side.proxies().some((address) => addressGroup(address) === addressGroup(peer));

const hostOf = (address: string): string => (address === '' ? '' : new URL(address).hostname);

function bindDeps({ recipients, vaultKey, clock, log, side }: RecipientHttpDeps, mode: 'core' | 'share'): BindDeps {
  const cookies = createRecipientCookies({
    sessionSigner: createSigner(vaultKey, 'share session'),
    queueSigner: createSigner(vaultKey, 'share queue'),
    clock,
    isSecure: (req) => isSecureRequest(req, side.publicAddress()),
  });
  return {
    mode,
    access: RECIPIENT_ACCESS,
    audit: {
      record({ action, resourceId }, caller) {
        if (caller.kind !== 'recipient') return;
        const { shareId, sessionId, ip, userAgent } = caller;
        const documentId = resourceId === undefined ? {} : { documentId: Number(resourceId) };
        recipients.audit.record({
          shareId,
          action: action as ShareAction,
          visitor: { ip, userAgent },
          sessionId,
          ...documentId,
        });
      },
    },
    log,
    resolveCaller(req) {
      const ip = clientAddress(req, (peer) => isListed(side, peer));
      const secret = cookies.session(req);
      const session = secret === null ? null : recipients.seats.resolve(secret);
      if (!session) return { kind: 'nobody', ip };
      const userAgent = (req.headers['user-agent'] ?? '').slice(0, 500);
      return { kind: 'recipient', ip, userAgent, shareId: session.share_id, sessionId: session.rowid };
    },
    recipient: cookies.of,
    cookies: NONE,
    signIn: NONE,
    device: NONE,
    readBody: mode === 'share' ? readRecipientBody : null,
    receive: NONE,
  };
}

/** Recipients neither sign in nor send files. */
function NONE(): never {
  throw new Error('No endpoint of recipients uses this.');
}
