import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keychain } from '../../../test/fakes/electron.ts';
import { systemKeychain } from './keychain.ts';

vi.mock('electron', () => import('../../../test/fakes/electron.ts'));

beforeEach(() => Object.assign(keychain, { available: true, backend: 'gnome_libsecret' }));

describe('the keychain of the system', () => {
  it('wraps and unwraps', () => {
    const wrapped = systemKeychain()?.wrap('key') ?? Buffer.from('');
    expect(wrapped.toString()).not.toBe('key');
    expect(systemKeychain()?.unwrap(wrapped)).toBe('key');
  });

  it('is not used where the system has none', () => {
    keychain.available = false;
    expect(systemKeychain()).toBeNull();
  });

  it.runIf(process.platform === 'linux')('is not used where everybody knows its password', () => {
    keychain.backend = 'basic_text';
    expect(systemKeychain()).toBeNull();
  });
});
