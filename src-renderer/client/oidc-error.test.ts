import { describe, expect, it } from 'vitest';
import { oidcError } from './oidc-error.ts';

describe('oidcError', () => {
  it('reads the code and its parameters from the URL', () => {
    expect(oidcError({ failed: 'oidc.name_taken', name: 'ada' })).toMatchObject({
      code: 'oidc.name_taken',
      params: { name: 'ada' },
    });
    expect(oidcError({ failed: 'oidc.missing_claim' })?.params).toMatchObject({ claim: '?' });
  });

  it('returns null for unknown codes', () => {
    for (const failed of [undefined, '', 'toString', '<b>pay here</b>']) expect(oidcError({ failed })).toBeNull();
  });
});
