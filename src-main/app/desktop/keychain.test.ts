import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keychain } from '../../../test/fakes/electron.ts';
import { systemKeychain } from './keychain.ts';

vi.mock('electron', () => import('../../../test/fakes/electron.ts'));

beforeEach(() => Object.assign(keychain, { available: true, backend: 'gnome_libsecret' }));

describe('the system keychain', () => {
  it('encrypts and decrypts', () => {
    const wrapped = systemKeychain()?.wrap('key') ?? Buffer.from('');
    expect(wrapped.toString()).not.toBe('key');
    expect(systemKeychain()?.unwrap(wrapped)).toBe('key');
  });

  it('is not used if the system has none', () => {
    keychain.available = false;
    expect(systemKeychain()).toBeNull();
  });

  it.runIf(process.platform === 'linux')('is not used with the built-in password of basic_text', () => {
    keychain.backend = 'basic_text';
    expect(systemKeychain()).toBeNull();
  });
});
