import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** An opaque random id of 192 bits in base64url (32 characters). */
export const randomId = (): string => randomBytes(24).toString('base64url');

/** A secret for a link or a cookie: 256 random bits in base64url (43 characters). */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** A code of so many random digits, to be read aloud. */
export const randomDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0');

/** A UUID of RFC 9562, version 4, where another standard asks for one. */
export const randomUuid = (): string => randomUUID();
