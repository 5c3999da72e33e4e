#!/usr/bin/env node
// The key that signs updates.
//   node boards/update-key.mjs new     a new private key as PEM, for HEARTH_UPDATE_PRIVATE_KEY; keep it secret
//   node boards/update-key.mjs         the public part of HEARTH_UPDATE_PRIVATE_KEY as 128 hex digits, for HEARTH_UPDATE_KEY;
//                                      nothing if there is no key
import { createPublicKey, generateKeyPairSync } from 'node:crypto';

if (process.argv[2] === 'new') {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  process.stdout.write(privateKey.export({ type: 'pkcs8', format: 'pem' }));
} else if (process.env.HEARTH_UPDATE_PRIVATE_KEY) {
  const { crv, x = '', y = '' } = createPublicKey(process.env.HEARTH_UPDATE_PRIVATE_KEY).export({ format: 'jwk' });
  if (crv !== 'P-256') {
    console.error('HEARTH_UPDATE_PRIVATE_KEY must be a key of the curve P-256: node boards/update-key.mjs new');
    process.exit(2);
  }
  console.log([x, y].map((part) => Buffer.from(part, 'base64url').toString('hex')).join(''));
}
