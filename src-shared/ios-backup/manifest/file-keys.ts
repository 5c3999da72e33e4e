import { BackupError } from '../errors.ts';
import type { BackupCrypto, CbcKey } from '../ports.ts';
import type { Keyring } from './keybag.ts';

/** The number of unwrapped keys in memory; unwrapping another one takes microseconds. */
const MAX_KEYS = 64;

/** A cache of the keys of recently read files. Only these keys are unwrapped in memory; `wipe` overwrites them. */
export class FileKeys {
  private readonly keyring: Keyring;
  private readonly crypto: BackupCrypto;
  private readonly keys = new Map<string, Promise<CbcKey>>();
  private isWiped = false;

  constructor(keyring: Keyring, crypto: BackupCrypto) {
    this.keyring = keyring;
    this.crypto = crypto;
  }

  /**
   * Returns a key that is unwrapped when it is used. `classAndKey` is the class (u32 little-endian) and the wrapped key,
   * as in manifests. Throws immediately what its use would throw: `needs_device`, `damaged_key`.
   */
  async of(name: string, classAndKey: Uint8Array): Promise<CbcKey> {
    await this.cachedKey(name, classAndKey);
    return {
      decrypt: async (iv, data) => (await this.cachedKey(name, classAndKey)).decrypt(iv, data),
      wipe: () => this.wipeKey(name),
    };
  }

  wipe(): void {
    this.isWiped = true;
    for (const name of [...this.keys.keys()]) this.wipeKey(name);
    this.keyring.wipe();
  }

  private cachedKey(name: string, classAndKey: Uint8Array): Promise<CbcKey> {
    if (this.isWiped) return Promise.reject(new BackupError('locked'));
    const key = this.keys.get(name) ?? this.unwrap(classAndKey);
    key.catch(() => this.keys.delete(name));
    this.keys.delete(name);
    this.keys.set(name, key);
    const oldest = this.keys.size > MAX_KEYS ? this.keys.keys().next().value : undefined;
    if (oldest !== undefined) this.wipeKey(oldest);
    return key;
  }

  private async unwrap(classAndKey: Uint8Array): Promise<CbcKey> {
    const key = await this.keyring.unwrap(classAndKey);
    const cbc = await this.crypto.cbcKey(key);
    key.fill(0);
    if (this.isWiped) cbc.wipe();
    return cbc;
  }

  private wipeKey(name: string): void {
    void this.keys.get(name)?.then(
      (key) => key.wipe(),
      () => undefined,
    );
    this.keys.delete(name);
  }
}
