import type { mail } from '../../src-shared/contract/mail.ts';
import type { SendCode } from '../features/shares/service.ts';
import type { Config, ConfigKey } from '../platform/config/config.ts';
import type { Handlers } from '../platform/http/bind.ts';
import { fail } from '../platform/kernel/errors.ts';
import { sendMail, toMailAddress, type MailSettings } from '../platform/mail/mail.ts';
import { codeMessage, testMessage } from '../platform/mail/messages.ts';

type MailKey = Extract<ConfigKey, `smtp.${string}`>;
/** Reads a setting as it is now. */
export type ReadMailSetting = <K extends MailKey>(key: K) => Config[K];

/** The mail server of the household; null until it has a host and a sender. */
function mailSettings(read: ReadMailSetting): MailSettings | null {
  const [host, address, user] = [read('smtp.host'), read('smtp.from_address'), read('smtp.user')];
  if (host === '' || toMailAddress(address) === null) return null;
  return {
    host,
    port: read('smtp.port'),
    encryption: read('smtp.encryption'),
    user: user === '' ? null : user,
    password: user === '' ? null : read('smtp.password'),
    from: { name: read('smtp.from_name'), address },
  };
}

/** Whether e-mails can be sent. */
export const canSendMail = (read: ReadMailSetting): boolean => mailSettings(read) !== null;

/** Sends codes of shares; null while no mail server is set up. */
export function codeMailer(read: ReadMailSetting): SendCode {
  const settings = mailSettings(read);
  if (settings === null) return null;
  return ({ to, code, language, recipientLabel: recipient, minutes }, signal) =>
    sendMail(settings, to, codeMessage({ language, code, recipient, sender: settings.from.name, minutes }), signal);
}

export const mailRoutes = (read: ReadMailSetting): Handlers<typeof mail> => ({
  async test({ body }, { language }) {
    const settings = mailSettings(read);
    if (settings === null) throw fail('mail.not_set_up');
    await sendMail(settings, body.to, testMessage(language));
    return { ok: true };
  },
});
