import { BackupError } from '../errors.ts';
import type { BackupCrypto } from '../ports.ts';

/** Bits of the tag WRAP of a class key. */
const WRAPPED_BY_DEVICE = 1,
  WRAPPED_BY_PASSCODE = 2;
/** The limit for hostile keybags: ten times the rounds of a phone, half a minute on one core. */
const MAX_ROUNDS = 100_000_000;
const KEY_BYTES = 32;

export interface ClassKey {
  /** Protection class, 1 to 11. */
  protectionClass: number;
  wrap: number;
  wrapped: Uint8Array;
}

export interface Keybag {
  salt: Uint8Array;
  rounds: number;
  /** The first derivation since iOS 10.2; null before. */
  doubleProtection: { salt: Uint8Array; rounds: number } | null;
  classKeys: ClassKey[];
}

const broken = (reason: string): BackupError => new BackupError('damaged_keybag', { reason });

/**
 * Reads `BackupKeyBag`: tags of 4 ASCII letters, length (u32 big-endian), value. The first UUID is the keybag's own,
 * each further one starts a class key (so does a CLAS without a UUID). Unknown tags are ignored. Throws
 * `damaged_keybag`.
 */
export function readKeybag(bytes: Uint8Array): Keybag {
  const header = new Map<string, Uint8Array>(),
    keys: Map<string, Uint8Array>[] = [];
  for (const { tag, value } of readTags(bytes)) {
    const startsClass = tag === 'CLAS' ? (keys.at(-1)?.has('CLAS') ?? true) : tag === 'UUID' && header.has('UUID');
    if (startsClass) keys.push(new Map());
    (keys.at(-1) ?? header).set(tag, value);
  }
  const type = header.get('TYPE');
  if (type !== undefined && (readNumber(type, 'TYPE') & 0x3fffffff) !== 1) throw broken('not a keybag of a backup');
  const salt = header.get('SALT'),
    rounds = header.get('ITER');
  if (salt === undefined || rounds === undefined) throw broken('SALT or ITER is missing');
  const firstSalt = header.get('DPSL'),
    firstRounds = header.get('DPIC');
  if (firstSalt !== undefined && firstRounds === undefined) throw broken('DPIC is missing');
  return {
    salt,
    rounds: readRounds(rounds, 'ITER'),
    doubleProtection:
      firstSalt === undefined || firstRounds === undefined
        ? null
        : { salt: firstSalt, rounds: readRounds(firstRounds, 'DPIC') },
    classKeys: keys.map(readClassKey).filter((key) => key !== null),
  };
}

function* readTags(bytes: Uint8Array): Generator<{ tag: string; value: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    if (at + 8 > bytes.length) throw broken('ends inside a tag');
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4)),
      end = at + 8 + view.getUint32(at + 4);
    if (end > bytes.length) throw broken('a value is longer than the keybag');
    yield { tag, value: bytes.slice(at + 8, end) };
    at = end;
  }
}

function readNumber(value: Uint8Array, tag: string): number {
  if (value.length !== 4) throw broken(`${tag} is not a number`);
  return new DataView(value.buffer, value.byteOffset).getUint32(0);
}

function readRounds(value: Uint8Array, tag: string): number {
  const rounds = readNumber(value, tag);
  if (rounds < 1 || rounds > MAX_ROUNDS) throw broken(`${tag} demands ${rounds} rounds`);
  return rounds;
}

/** Reads a class key; null for a class without a wrapped key, which some keybags have. */
function readClassKey(tags: Map<string, Uint8Array>): ClassKey | null {
  const protectionClass = tags.get('CLAS'),
    wrapped = tags.get('WPKY'),
    wrap = tags.get('WRAP');
  if (protectionClass === undefined || wrapped === undefined) return null;
  return {
    protectionClass: readNumber(protectionClass, 'CLAS'),
    wrap: wrap === undefined ? WRAPPED_BY_PASSCODE : readNumber(wrap, 'WRAP'),
    wrapped,
  };
}

/** The class keys of an unlocked backup, until `wipe`. */
export class Keyring {
  private readonly crypto: BackupCrypto;
  private readonly keys: Map<number, Uint8Array>;
  private readonly deviceOnly: ReadonlySet<number>;

  constructor(crypto: BackupCrypto, keys: Map<number, Uint8Array>, deviceOnly: ReadonlySet<number>) {
    this.crypto = crypto;
    this.keys = keys;
    this.deviceOnly = deviceOnly;
  }

  /**
   * Unwraps the key of a file as manifests store it: class (u32 little-endian), then the wrapped key. The caller wipes
   * it after use. Throws `needs_device` if only the device has the class key, else `damaged_key`.
   */
  async unwrap(stored: Uint8Array): Promise<Uint8Array> {
    if (stored.length < 4) throw new BackupError('damaged_key', { reason: 'the key of the file is too short' });
    const protectionClass = new DataView(stored.buffer, stored.byteOffset).getUint32(0, true),
      wrapped = stored.subarray(4);
    const classKey = this.keys.get(protectionClass);
    const key = classKey === undefined || !isWrapped(wrapped) ? null : await this.crypto.unwrapKey(classKey, wrapped);
    if (key !== null && key.length === KEY_BYTES) return key;
    if (this.deviceOnly.has(protectionClass)) throw new BackupError('needs_device', { protectionClass });
    throw new BackupError('damaged_key', {
      protectionClass,
      reason: classKey === undefined ? 'the keybag has no key of this class' : 'the key does not unwrap',
    });
  }

  wipe(): void {
    for (const key of this.keys.values()) key.fill(0);
    this.keys.clear();
  }
}

const isWrapped = (bytes: Uint8Array): boolean => bytes.length >= 24 && bytes.length % 8 === 0;

/**
 * Unwraps the class keys with the password. Classes that also need the device's own key stay locked. Throws
 * `wrong_password` if no key unwraps, `damaged_keybag` if there is none to unwrap.
 * Source: Apple Platform Security, "Keybags".
 */
export async function unlockKeybag(keybag: Keybag, password: string, crypto: BackupCrypto): Promise<Keyring> {
  const candidates = keybag.classKeys.filter((key) => key.wrap & WRAPPED_BY_PASSCODE && isWrapped(key.wrapped));
  if (candidates.length === 0) throw broken('no class key is wrapped with the password');
  for (const form of formsOf(password)) {
    const keys = await unwrapClassKeys(candidates, await deriveKey(keybag, form, crypto), crypto);
    if (keys.size > 0)
      return new Keyring(
        crypto,
        keys,
        new Set(keybag.classKeys.filter((key) => key.wrap & WRAPPED_BY_DEVICE).map((key) => key.protectionClass)),
      );
  }
  throw new BackupError('wrong_password');
}

/**
 * Returns the texts that may have been the password: programs differ in how they compose accents, and spaces get into
 * a pasted one. Each further text costs another derivation, so equal ones are left out.
 */
function formsOf(password: string): Set<string> {
  const trimmed = password.trim();
  return new Set([
    password.normalize('NFC'),
    password.normalize('NFD'),
    password,
    trimmed.normalize('NFC'),
    trimmed.normalize('NFD'),
  ]);
}

async function unwrapClassKeys(
  candidates: readonly ClassKey[],
  derived: Uint8Array,
  crypto: BackupCrypto,
): Promise<Map<number, Uint8Array>> {
  const keys = new Map<number, Uint8Array>();
  for (const { protectionClass, wrapped } of candidates) {
    const key = await crypto.unwrapKey(derived, wrapped);
    if (key !== null) keys.set(protectionClass, key);
  }
  derived.fill(0);
  return keys;
}

/** Derives the key that wraps the class keys from the password in UTF-8. */
async function deriveKey(
  { salt, rounds, doubleProtection }: Keybag,
  password: string,
  crypto: BackupCrypto,
): Promise<Uint8Array> {
  const secret = new TextEncoder().encode(password);
  const first =
    doubleProtection === null
      ? secret
      : await crypto.pbkdf2('sha256', secret, doubleProtection.salt, doubleProtection.rounds, KEY_BYTES);
  const derived = await crypto.pbkdf2('sha1', first, salt, rounds, KEY_BYTES);
  secret.fill(0);
  first.fill(0);
  return derived;
}
