import type { passkeys as contract } from '../../../src-shared/contract/passkeys.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { originOf } from '../auth/service.ts';
import type { PasskeyService } from './service.ts';

export const passkeyRoutes = (passkeys: PasskeyService): Handlers<typeof contract> => ({
  available: (_input, { origin }) => ({ available: passkeys.isAvailable(origin) }),
  challenge: (_input, { origin, caller }) => passkeys.issueChallenge(origin, caller.ip),
  async signIn({ body }, call) {
    const from = originOf(call.caller, call.userAgent);
    const { user, cookieValue, maxAgeMs } = await passkeys.signIn(body, call.origin, from);
    call.cookies.set(cookieValue, maxAgeMs);
    call.setCaller(user);
    call.note({ with: 'passkey' });
    return { id: user.userId, username: user.username, display_name: user.displayName };
  },
  list: (_input, { caller }) => ({ items: passkeys.list(caller.userId) }),
  creationOptions: ({ body }, { caller, origin }) => passkeys.prepare(body, caller, origin),
  async create({ body }, call) {
    const passkey = await passkeys.create(body, call.caller, call.origin);
    call.setRecordId(passkey.id);
    return passkey;
  },
  rename({ params, body }, call) {
    call.setRecordId(params.passkey_id);
    return passkeys.rename(params.passkey_id, body.name, call.caller.userId);
  },
  remove({ params }, call) {
    passkeys.remove(params.passkey_id, call.caller.userId);
    call.setRecordId(params.passkey_id);
    return { ok: true };
  },
});
