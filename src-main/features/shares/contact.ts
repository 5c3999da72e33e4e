import type { Share } from '../../../src-shared/contract/shares.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { toMailAddress } from '../../platform/mail/mail.ts';

/** One plain e-mail address to which codes can be sent, a phone number, or something else. */
export function contactKind(contact: string | null): Share['contact_kind'] {
  if (contact === null) return null;
  if (toMailAddress(contact) !== null) return 'email';
  return /^\+?[\d\s()/.-]{5,}$/.test(contact) ? 'phone' : 'other';
}

/** @throws `share.email_not_set_up`, `share.email_invalid` */
export function requireDelivery(
  { canMail }: { canMail: () => boolean },
  delivery: 'manual' | 'email',
  contact: string | null,
): void {
  if (delivery !== 'email') return;
  if (!canMail()) throw fail('share.email_not_set_up');
  if (contactKind(contact) !== 'email') throw fail('share.email_invalid');
}
