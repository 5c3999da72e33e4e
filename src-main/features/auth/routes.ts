import type { auth as contract } from '../../../src-shared/contract/auth.ts';
import type { sessions } from '../../../src-shared/contract/sessions.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { originOf, type AuthService } from './service.ts';

export interface AuthRouteDeps {
  auth: AuthService;
  vaultPath: string;
  freeBytes(): number | undefined;
}

export const authRoutes = ({ auth, vaultPath, freeBytes }: AuthRouteDeps): Handlers<typeof contract> => ({
  health: () => ({ status: 'ok', mode: 'core' }),
  setupStatus: () =>
    auth.needsSetup() ? { needs_setup: true, vault_path: vaultPath, free_bytes: freeBytes() } : { needs_setup: false },
  async setupComplete({ body }, call) {
    const { user, cookieValue, maxAgeMs, patient } = await auth.completeSetup(
      body,
      originOf(call.caller, call.userAgent),
    );
    call.cookies.set(cookieValue, maxAgeMs);
    call.setCaller(user);
    const { userId: id, username, displayName: display_name } = user;
    return { ok: true, id, user_id: id, username, display_name, patient, patient_id: patient.id };
  },
  async login({ body }, call) {
    const { user, cookieValue, maxAgeMs, device } = await auth.login(
      body.username,
      body.password,
      originOf(call.caller, call.userAgent),
      call.device.read(),
    );
    call.cookies.set(cookieValue, maxAgeMs);
    call.device.remember(device);
    call.setCaller(user);
    return { id: user.userId, username: user.username, display_name: user.displayName };
  },
  logout(_input, call) {
    auth.logout(call.caller);
    call.cookies.clear();
    return { ok: true };
  },
  me: (_input, { caller }) => ({
    id: caller.userId,
    username: caller.username,
    display_name: caller.displayName,
    role: caller.role,
    ...auth.waysIn(caller.userId),
    patients: auth.grants(caller.userId),
  }),
});

export const sessionRoutes = (auth: AuthService): Handlers<typeof sessions> => ({
  list: ({ query }, { caller }) => ({ items: auth.sessions(caller, query.include_revoked) }),
  revoke({ params }, call) {
    auth.revoke(params.session_id);
    // The id alone gives no access: the cookie is signed.
    call.setRecordId(params.session_id);
    return { ok: true };
  },
});
