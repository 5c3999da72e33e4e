import { randomBytes } from 'node:crypto';
import { fail } from '../../../platform/kernel/errors.ts';

/**
 * A SMART Health Link before it is written down. The key is in the link alone: whoever holds the files can't read them.
 * @see HL7 SMART Health Cards and Links STU 1, "Construct a SHLink Payload"
 */
export interface HealthLink {
  /** Where readers ask for the manifest: at most 128 characters, 256 bits of them random. */
  url: string;
  /** 32 bytes in base64url. */
  key: string;
  /** Milliseconds since the epoch; null if the link does not expire. */
  expiresAt: number | null;
  /** Whether readers may keep it and open it again. */
  isLongTerm: boolean;
  hasPasscode: boolean;
  /** What a reader shows before it opens the link. Cut after 80 characters. */
  label: string;
}

const KEY_BYTES = 32;
const MAX_URL = 128;
const MAX_LABEL = 80;

/** A new key for the files of one link. */
export const createKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/**
 * Writes a link down as `shlink:/…`.
 * @throws `health_link.address_too_long`, `health_link.invalid_setting`
 */
export function writeLink({ url, key, expiresAt, isLongTerm, hasPasscode, label }: HealthLink): string {
  if (url.length > MAX_URL) throw fail('health_link.address_too_long', { limit: MAX_URL });
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw fail('health_link.invalid_setting', { field: 'url' });
  if (Buffer.from(key, 'base64url').length !== KEY_BYTES) throw fail('health_link.invalid_setting', { field: 'key' });
  // Flags are in alphabetical order.
  const flag = `${isLongTerm ? 'L' : ''}${hasPasscode ? 'P' : ''}`;
  const payload = {
    ...{ url, key },
    ...(expiresAt !== null && { exp: Math.floor(expiresAt / 1000) }),
    ...(flag !== '' && { flag }),
    ...(label !== '' && { label: shorten(label) }),
    v: 1,
  };
  return `shlink:/${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
}

/** Cuts after whole characters. */
function shorten(label: string): string {
  let short = '';
  for (const character of label) {
    if (short.length + character.length > MAX_LABEL) break;
    short += character;
  }
  return short;
}
