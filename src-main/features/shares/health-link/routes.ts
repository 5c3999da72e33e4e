import type {
  healthLinkReader as readerContract,
  healthLinks as contract,
} from '../../../../src-shared/contract/health-links.ts';
import type { Handlers } from '../../../platform/http/bind.ts';
import type { HealthLinkDoor } from './door.ts';
import type { HealthLinks } from './links.ts';

export const healthLinkRoutes = (links: HealthLinks): Handlers<typeof contract> => ({
  create({ params, body }, { caller, language }) {
    return links.create(params.share_id, body, { userId: caller.userId, language });
  },
  list: ({ params }) => links.list(params.share_id),
  revoke({ params }, call) {
    call.note({ link_id: params.link_id });
    return links.revoke(params.share_id, params.link_id);
  },
});

/** `publicAddress` returns scheme, host and port of links; empty if only this computer is reached. */
export const healthLinkReaderRoutes = (
  door: HealthLinkDoor,
  publicAddress: () => string,
): Handlers<typeof readerContract> => ({
  manifest({ params, body }, { caller, userAgent, origin }) {
    const base = publicAddress().replace(/\/+$/, '');
    return door.open(params.link, body, {
      visitor: { ip: caller.ip, userAgent },
      // The host of the request is one of those under which the service is reached.
      base: base !== '' && new URL(base).host === new URL(origin).host ? base : origin,
    });
  },
  file: ({ params }, { caller, userAgent }) => door.file(params.location, { ip: caller.ip, userAgent }),
});
