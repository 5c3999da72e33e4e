import { createHash, randomBytes } from 'node:crypto';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Of the pages of Hearth’s firmware. */
export const DEVICE_REALM = 'SmallTV';

const MAX_NONCES = 200;
/** How often each nonce was used: a device gives the same one within a second, and takes each count once. */
const uses = new Map<string, number>();

function countUse(nonce: string): number {
  const count = (uses.get(nonce) ?? 0) + 1;
  uses.set(nonce, count);
  if (uses.size > MAX_NONCES) uses.delete(uses.keys().next().value!);
  return count;
}

export interface Login {
  user: string;
  password: string;
}

/** The `Authorization` header that answers a challenge (RFC 7616, MD5, qop=auth), or null if it asks for another way. */
export function answerChallenge(
  challenge: string,
  method: string,
  path: string,
  { user, password }: Login,
): string | null {
  if (!/^digest\s/i.test(challenge)) return null;
  const fields = new Map(
    [...challenge.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name = '', quoted, bare]) => [
      name.toLowerCase(),
      quoted ?? bare ?? '',
    ]),
  );
  const [realm, nonce] = [fields.get('realm') ?? '', fields.get('nonce') ?? ''];
  // Another realm is another program’s page; without a count and a nonce, an answer could be used again.
  const asksForCount = (fields.get('qop') ?? '').split(/[\s,]+/).includes('auth');
  const isMd5 = (fields.get('algorithm') ?? 'MD5').toUpperCase() === 'MD5';
  if (realm !== DEVICE_REALM || nonce === '' || !asksForCount || !isMd5) return null;
  const count = countUse(nonce).toString(16).padStart(8, '0');
  const own = randomBytes(8).toString('hex');
  const proof = md5(`${md5(`${user}:${realm}:${password}`)}:${nonce}:${count}:${own}:auth:${md5(`${method}:${path}`)}`);
  // Headers are sent as Latin-1: each byte of UTF-8 becomes a character of its own, as the device hashes bytes.
  const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  return bytes(
    `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${path}", qop=auth, nc=${count}, ` +
      `cnonce="${own}", response="${proof}", algorithm=MD5`,
  );
}

/** Whether a challenge says that the password was right, but its nonce too old or used. */
export const wantsNewNonce = (challenge: string): boolean => /\bstale\s*=\s*"?true\b/i.test(challenge);
