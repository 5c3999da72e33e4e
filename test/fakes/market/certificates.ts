import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A root of our own and an RSA certificate of it for the given names: what a server shows and what a client trusts. */
export interface Identity {
  key: Buffer;
  cert: Buffer;
  root: Buffer;
}

/** Made anew at each call by openssl; RSA, because static-RSA suites need such a key. */
export function makeIdentity(names: readonly string[]): Identity {
  const place = mkdtempSync(join(tmpdir(), 'market-tls-'));
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: place, stdio: 'ignore' });
  try {
    writeFileSync(
      join(place, 'names.cnf'),
      `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\nkeyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=serverAuth\n`,
    );
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'root.key',
      '-out',
      'root.pem',
      '-days',
      '30',
      '-subj',
      '/CN=Root of a test',
    );
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'server.key',
      '-out',
      'server.csr',
      '-subj',
      `/CN=${names[0]}`,
    );
    openssl(
      'x509',
      '-req',
      '-in',
      'server.csr',
      '-CA',
      'root.pem',
      '-CAkey',
      'root.key',
      '-CAcreateserial',
      '-days',
      '30',
      '-extfile',
      'names.cnf',
      '-out',
      'server.pem',
    );
    return {
      key: readFileSync(join(place, 'server.key')),
      cert: readFileSync(join(place, 'server.pem')),
      root: readFileSync(join(place, 'root.pem')),
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
