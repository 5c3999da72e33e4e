import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/connection.ts';
import { createSecrets, isSealed, withoutSecrets, type Keychain } from './service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (keychain: Keychain | null = null) => createSecrets({ folder, keychain });
/** A keychain that reverses letters, which is enough to tell whether it was used. */
const turning: Keychain = {
  wrap: (text) => Buffer.from([...text].reverse().join('')),
  unwrap: (bytes) => [...bytes.toString()].reverse().join(''),
};
const locked: Keychain = {
  ...turning,
  unwrap: () => {
    throw new Error('belongs to another user');
  },
};
const filesHold = (text: string): boolean =>
  readdirSync(folder).some((name) => readFileSync(join(folder, name), 'utf8').includes(text));

describe('secrets at rest', () => {
  it('are decrypted after a restart under their own key only, and differ each time', () => {
    const sealed = open().seal('oidc.client_secret', 'tür & schlüssel');
    expect(sealed).not.toContain('schl');
    expect(open().open('oidc.client_secret', sealed)).toBe('tür & schlüssel');
    expect(open().open('ocr.remote_api_key', sealed)).toBeNull();
    expect(open().seal('oidc.client_secret', 'tür & schlüssel')).not.toBe(sealed);
  });

  it('are rejected if changed, truncated or forged', () => {
    const secrets = open();
    const sealed = secrets.seal('a', 'secret');
    const flipped = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2);
    for (const wrong of [flipped, sealed.slice(0, -4), sealed.slice(0, 30), '', 'sealed:v1:', null, 7, 'secret'])
      expect(secrets.open('a', wrong)).toBeNull();
    expect(isSealed(sealed)).toBe(true);
    expect(isSealed('secret')).toBe(false);
  });

  it('are encrypted with a key file that only its owner can read', () => {
    open().seal('a', 'secret');
    expect(readdirSync(folder)).toEqual(['secrets.key']);
    if (process.platform !== 'win32') expect(statSync(join(folder, 'secrets.key')).mode & 0o777).toBe(0o600);
  });

  it('create no key file before the first secret', () => {
    open();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('report a damaged key file and do not change it', () => {
    writeFileSync(join(folder, 'secrets.key'), 'nonsense');
    expect(() => open().seal('a', 'b')).toThrow(/damaged/);
    expect(readFileSync(join(folder, 'secrets.key'), 'utf8')).toBe('nonsense');
  });

  it('use the keychain if there is one, and decrypt earlier secrets without it', () => {
    const before = open().seal('a', 'first');
    const plainKey = readFileSync(join(folder, 'secrets.key'), 'utf8').trim();
    const withKeychain = open(turning);
    const after = withKeychain.seal('a', 'second');
    expect([withKeychain.open('a', before), withKeychain.open('a', after)]).toEqual(['first', 'second']);
    expect(open(turning).open('a', after)).toBe('second');
    expect(open().open('a', after)).toBeNull();
    rmSync(join(folder, 'secrets.key'));
    expect(filesHold(plainKey)).toBe(false);
    expect(() => open(locked).open('a', after)).toThrow('another user');
  });

  it('can be restored from a backup only with their keys', () => {
    const sealed = open().seal('a', 'secret');
    const keys = open().exportKeys();
    const other = mkdtempSync(join(tmpdir(), 'hearth-secrets-'));
    try {
      const restored = createSecrets({ folder: other, keychain: null });
      const own = restored.seal('a', 'own');
      expect(restored.open('a', sealed)).toBeNull();
      restored.importKeys(`${keys}\nnot a key\n`);
      const again = createSecrets({ folder: other, keychain: null });
      expect([again.open('a', sealed), again.open('a', own)]).toEqual(['secret', 'own']);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('are the only thing removed from a copy of the database', () => {
    const db = openDatabase(join(folder, 'copy.db'));
    const sealed = open().seal('oidc.client_secret', 'x');
    db.prepare(
      "INSERT INTO settings (key, value, updated_at) VALUES ('oidc.client_secret', ?, 'x'), ('oidc.client_id', '\"hearth\"', 'x')",
    ).run(JSON.stringify(sealed));
    db.prepare("INSERT INTO providers (kind, id, position, type, settings) VALUES ('llm', 'a', 0, 'openai', ?)").run(
      JSON.stringify({ model: 'm', api_key: sealed }),
    );
    withoutSecrets(db);
    expect(db.prepare('SELECT key FROM settings').pluck().all()).toEqual(['oidc.client_id']);
    expect(db.prepare('SELECT settings FROM providers').pluck().get()).toBe('{"model":"m"}');
    db.close();
  });
});
