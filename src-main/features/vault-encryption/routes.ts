import type { vaultEncryption as contract } from '../../../src-shared/contract/vault-encryption.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { isCallerHere } from '../../platform/http/origin.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { VaultEncryption } from './service.ts';

/** Passwords of the vault are typed only on the computer that Hearth runs on. */
function requireHere(call: Parameters<typeof isCallerHere>[0]): void {
  if (!isCallerHere(call)) throw fail('vault.encryption_here_only');
}

export const vaultEncryptionRoutes = (service: VaultEncryption): Handlers<typeof contract> => ({
  overview: (_input, call) => service.overview(isCallerHere(call)),
  lock(_input, call) {
    service.lock(call.caller);
    return service.overview(isCallerHere(call));
  },
  presence: () => service.notePresence(),
  async makeRecoveryKey({ body: { password } }, call) {
    requireHere(call);
    return { recovery_key: await service.makeRecoveryKey(call.caller.userId, password) };
  },
  replaceRecoveryKey({ body }, call) {
    requireHere(call);
    service.replaceRecoveryKey(call.caller.userId, body.recovery_key);
    return service.overview(true);
  },
  async changePassword({ body: { secret, password } }, call) {
    requireHere(call);
    await service.changePassword(secret, password);
    return service.overview(true);
  },
  async turnKeychainOn({ body: { secret } }, call) {
    requireHere(call);
    await service.turnKeychainOn(secret);
    return service.overview(true);
  },
  turnKeychainOff(_input, call) {
    service.turnKeychainOff();
    return service.overview(isCallerHere(call));
  },
  async encrypt({ body }, call) {
    requireHere(call);
    call.afterRecord(await service.prepareEncrypting(call.caller.userId, body.recovery_key));
    return service.overview(true);
  },
  async decrypt({ body: { secret } }, call) {
    requireHere(call);
    call.afterRecord(await service.prepareDecrypting(secret));
    return service.overview(true);
  },
});
