import { describe, expect, it } from 'vitest';
import { failureIn } from './oidc-error.ts';

describe('a failed sign-in in the address', () => {
  it('is told with its data', () => {
    expect(failureIn({ failed: 'oidc.name_taken', name: 'ada' })).toMatchObject({
      code: 'oidc.name_taken',
      params: { name: 'ada' },
    });
    expect(failureIn({ failed: 'oidc.missing_claim' })?.params).toMatchObject({ claim: '?' });
  });

  it('is nothing where the address holds no code of ours', () => {
    for (const failed of [undefined, '', 'toString', '<b>pay here</b>']) expect(failureIn({ failed })).toBeNull();
  });
});
