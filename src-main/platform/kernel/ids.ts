import { randomBytes } from 'node:crypto';

/** An opaque random id of 192 bits in base64url (32 characters). */
export const randomId = (): string => randomBytes(24).toString('base64url');
