import type { Share } from '../../../src-shared/contract/shares.ts';
import { toMailAddress } from '../../platform/mail/mail.ts';

/** One plain e-mail address to which codes can be sent, a phone number, or something else. */
export function contactKind(contact: string | null): Share['contact_kind'] {
  if (contact === null) return null;
  if (toMailAddress(contact) !== null) return 'email';
  return /^\+?[\d\s()/.-]{5,}$/.test(contact) ? 'phone' : 'other';
}
