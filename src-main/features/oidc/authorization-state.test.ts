import { describe, expect, it } from 'vitest';
import { ownPage, packAuthorizationState, unpackAuthorizationState } from './authorization-state.ts';

describe('the state of a pending login', () => {
  it('is unpacked as it was packed', () => {
    const state = { state: 's.t', nonce: 'n', verifier: 'v', next: '/documents?q=ü', linkUserId: 3 };
    expect(packAuthorizationState(state)).not.toContain('.');
    expect(unpackAuthorizationState(packAuthorizationState(state))).toEqual(state);
  });

  it.each([
    [undefined, '/'],
    ['/documents/7?page=2', '/documents/7?page=2'],
    ['', '/'],
    ['documents', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/a\r\nSet-Cookie: x', '/'],
    ['/a b', '/'],
  ])('redirects from %j to %j', (next, page) => {
    expect(ownPage(next)).toBe(page);
  });
});
