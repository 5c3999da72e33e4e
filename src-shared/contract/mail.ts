import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const mail = {
  test: endpoint({
    method: 'POST',
    path: '/api/settings/smtp/test',
    access: 'admin',
    body: z.strictObject({ to: z.string().max(254) }),
    reply: z.object({ ok: z.literal(true) }),
    errors: [
      'mail.not_set_up',
      'mail.invalid_address',
      'mail.server_unreachable',
      'mail.no_encryption',
      'mail.certificate_rejected',
      'mail.sign_in_failed',
      'mail.sender_rejected',
      'mail.recipient_rejected',
      'mail.failed',
    ],
    summary: 'Sends a test message through the mail server of the settings.',
  }),
} as const;
