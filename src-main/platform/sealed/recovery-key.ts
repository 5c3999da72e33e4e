import { createHash } from 'node:crypto';

/** Crockford's base32: no I, L, O and U, which are misread or misheard. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MISREAD: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };
const SECRET_BYTES = 32;
const CHECK_BYTES = 3;
const GROUP = 5;

const checkOf = (secret: Uint8Array): Buffer =>
  createHash('sha256').update('hearth recovery key').update(secret).digest().subarray(0, CHECK_BYTES);

/** Writes 32 secret bytes for people: 56 characters in groups of five, the last of them a check. */
export function formatRecoveryKey(secret: Uint8Array): string {
  const bits = [...secret, ...checkOf(secret)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const characters = bits.match(/.{5}/g)!.map((five) => ALPHABET[parseInt(five, 2)]);
  return characters
    .join('')
    .match(new RegExp(`.{1,${GROUP}}`, 'g'))!
    .join('-');
}

/** Reads what a person typed; null if it has a mistake. */
export function parseRecoveryKey(typed: string): Buffer | null {
  const characters = [...typed.toUpperCase().replaceAll(/[\s-]/g, '')].map((one) => MISREAD[one] ?? one);
  if (characters.length * 5 !== (SECRET_BYTES + CHECK_BYTES) * 8) return null;
  if (characters.some((one) => !ALPHABET.includes(one))) return null;
  const bits = characters.map((one) => ALPHABET.indexOf(one).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((eight) => parseInt(eight, 2)));
  const secret = bytes.subarray(0, SECRET_BYTES);
  return checkOf(secret).equals(bytes.subarray(SECRET_BYTES)) ? secret : null;
}
