import { CompactEncrypt } from 'jose';
import type { Bundle } from 'fhir/r4.js';
import { fail } from '../../../platform/kernel/errors.ts';
import { FHIR_TYPE } from './manifest.ts';

const MAX_BYTES = 48 * 2 ** 20;

/**
 * Encrypts a bundle as a file of a SMART Health Link: a compact JWE with `dir` and A256GCM, and a new random
 * initialization vector each time.
 * @throws `health_link.file_too_large`
 */
export async function encryptBundle(bundle: Bundle, key: string): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(bundle));
  if (bytes.length > MAX_BYTES) throw fail('health_link.file_too_large', { limit: `${MAX_BYTES / 2 ** 20} MB` });
  return new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: FHIR_TYPE })
    .encrypt(Buffer.from(key, 'base64url'));
}
