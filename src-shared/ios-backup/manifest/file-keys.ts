import { BackupError } from '../errors.ts';
import type { BackupCrypto, CbcKey } from '../ports.ts';
import type { Keyring } from './keybag.ts';

/** Keys of files in use at one time; unwrapping another one costs microseconds. */
const KEPT = 64;

/** The keys of the files read last. No more than these are in memory unwrapped, and `wipe` overwrites them. */
export class FileKeys {
  private readonly keyring: Keyring;
  private readonly crypto: BackupCrypto;
  private readonly kept = new Map<string, Promise<CbcKey>>();
  private wiped = false;

  constructor(keyring: Keyring, crypto: BackupCrypto) {
    this.keyring = keyring;
    this.crypto = crypto;
  }

  /**
   * Makes a key that is unwrapped on use. `stored` is class (u32 little-endian) and wrapped key, as in manifests.
   * Throws now the errors that its use would throw: `needs_device`, `damaged_key`.
   */
  async of(name: string, stored: Uint8Array): Promise<CbcKey> {
    await this.key(name, stored);
    return {
      decrypt: async (iv, data) => (await this.key(name, stored)).decrypt(iv, data),
      wipe: () => this.drop(name),
    };
  }

  wipe(): void {
    this.wiped = true;
    for (const name of [...this.kept.keys()]) this.drop(name);
    this.keyring.wipe();
  }

  private key(name: string, stored: Uint8Array): Promise<CbcKey> {
    if (this.wiped) return Promise.reject(new BackupError('locked'));
    const key = this.kept.get(name) ?? this.unwrapped(stored);
    key.catch(() => this.kept.delete(name));
    this.kept.delete(name);
    this.kept.set(name, key);
    const oldest = this.kept.size > KEPT ? this.kept.keys().next().value : undefined;
    if (oldest !== undefined) this.drop(oldest);
    return key;
  }

  private async unwrapped(stored: Uint8Array): Promise<CbcKey> {
    const key = await this.keyring.unwrap(stored);
    const cbc = await this.crypto.cbcKey(key);
    key.fill(0);
    if (this.wiped) cbc.wipe();
    return cbc;
  }

  private drop(name: string): void {
    void this.kept.get(name)?.then(
      (key) => key.wipe(),
      () => undefined,
    );
    this.kept.delete(name);
  }
}
