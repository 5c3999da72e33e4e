import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder } from '../config/load.ts';
import { readOrMakePrivate, replacePrivate } from '../config/private-file.ts';

/** The operating system's encryption for small texts, if the shell provides one (Electron's safeStorage). */
export interface Keychain {
  wrap(text: string): Buffer;
  /** Throws when another user or machine encrypted the text. */
  unwrap(wrapped: Buffer): string;
}

export interface Key {
  id: string;
  bytes: Buffer;
}

/** Keys of this user on this machine: the first one seals, and all of them open. */
export interface KeyRing {
  keys(): Key[];
  /** Adds keys from a backup, one base64 line each; skips known and invalid ones. */
  add(lines: string): void;
}

const KEY_BYTES = 32;
/** Plain keys, for programs without a keychain; mode 0600. */
const PLAIN_FILE = 'secrets.key';
/** The same keys, encrypted by the keychain. */
const WRAPPED_FILE = 'secrets.keychain';

const keyOf = (line: string): Key => {
  const bytes = Buffer.from(line, 'base64');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes };
};
const keysOf = (lines: string): Key[] =>
  lines
    .split('\n')
    .map((line) => keyOf(line.trim()))
    .filter((key) => key.bytes.length === KEY_BYTES);
const linesOf = (keys: Key[]): string => `${keys.map((key) => key.bytes.toString('base64')).join('\n')}\n`;
const newLine = (): string => linesOf([keyOf(randomBytes(KEY_BYTES).toString('base64'))]);

/** Opens the key ring of a configuration folder. Nothing is written until a key is needed. */
export function openKeyRing({ folder, keychain }: { folder: string; keychain: Keychain | null }): KeyRing {
  const plainPath = join(folder, PLAIN_FILE);
  const wrappedPath = join(folder, WRAPPED_FILE);
  const wrap = (lines: string): string => (keychain ? keychain.wrap(lines).toString('base64') : lines);
  const unwrap = (text: string): string => (keychain ? keychain.unwrap(Buffer.from(text, 'base64')) : text);
  const own = keychain ? wrappedPath : plainPath;
  let ring: Key[] | null = null;

  function load(): Key[] {
    ensurePrivateFolder(folder);
    const keys = keysOf(unwrap(readOrMakePrivate(own, () => wrap(newLine()))));
    if (keys.length === 0)
      throw new Error(
        'The key file of Hearth’s secrets is damaged. Move it away to have a new one made; saved ' +
          'secrets must then be entered again.',
      );
    // Secrets saved without a keychain stay readable with one.
    const plain = keychain && existsSync(plainPath) ? keysOf(readFileSync(plainPath, 'utf8')) : [];
    return [...keys, ...plain];
  }
  return {
    keys: () => (ring ??= load()),
    add(lines) {
      const existingKeys = (ring ??= load());
      const added = keysOf(lines).filter((key) => !existingKeys.some((other) => other.id === key.id));
      if (added.length === 0) return;
      ring = [...existingKeys, ...added];
      replacePrivate(own, wrap(linesOf(ring)));
    },
  };
}
