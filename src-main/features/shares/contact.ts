import type { Share } from '../../../src-shared/contract/shares.ts';

/** One plain address (the form of HTML's e-mail field), a phone number, or something else. */
export function contactKind(contact: string | null): Share['contact_kind'] {
  if (contact === null) return null;
  if (/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i.test(contact))
    return 'email';
  return /^\+?[\d\s()/.-]{5,}$/.test(contact) ? 'phone' : 'other';
}
