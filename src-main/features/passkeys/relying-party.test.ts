import { expect, it } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

it.each([
  ['http://localhost:8070', { id: 'localhost', origins: ['https://localhost:8070', 'http://localhost:8070'] }],
  [
    'http://hearth.localhost',
    { id: 'hearth.localhost', origins: ['https://hearth.localhost', 'http://hearth.localhost'] },
  ],
  // A proxy speaks TLS and passes plain requests on; browsers have no passkeys without TLS there.
  ['http://Records.example:8443', { id: 'records.example', origins: ['https://records.example:8443'] }],
  ['http://127.0.0.1:8070', null],
  ['http://[::1]:8070', null],
  ['http://192.168.1.2', null],
])('passkeys for %s', (origin, party) => {
  expect(relyingPartyOf(origin)).toEqual(party);
});
