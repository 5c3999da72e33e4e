import type { CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import type { MailMessage } from './mail.ts';

/** A one-time code for a share. The message names neither the patient nor the documents. */
export interface CodeMessage {
  language: CoreLanguage;
  /** The digits. */
  code: string;
  /** The name of the recipient as the sender wrote it. */
  recipient: string;
  /** Who shares; empty if the household gave no name. */
  sender: string;
  /** How long the code is valid. */
  minutes: number;
}

const CODE_TEXTS = {
  en: {
    subject: 'Your code',
    greeting: (name: string) => `Hello ${name}`,
    from: (sender: string) =>
      sender === '' ? 'Documents are shared with you.' : `${sender} shares documents with you.`,
    code: 'Your code is:',
    validity: (minutes: number) =>
      `It is valid for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and can be used once. ` +
      'Enter it on the page where you asked for it.',
    stranger: 'You did not ask for a code? Then ignore this message, and do not pass the code on.',
  },
  de: {
    subject: 'Ihr Code',
    greeting: (name: string) => `Guten Tag ${name}`,
    from: (sender: string) =>
      sender === '' ? 'Mit Ihnen werden Dokumente geteilt.' : `${sender} teilt Dokumente mit Ihnen.`,
    code: 'Ihr Code lautet:',
    validity: (minutes: number) =>
      `Er gilt ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} und lässt sich einmal verwenden. ` +
      'Geben Sie ihn auf der Seite ein, auf der Sie ihn angefordert haben.',
    stranger:
      'Sie haben keinen Code angefordert? Dann ignorieren Sie diese Nachricht und geben Sie den Code nicht weiter.',
  },
} as const;

const TEST_TEXTS = {
  en: {
    subject: 'Test message from Hearth',
    text: 'E-mail works: Hearth can send codes to the people with whom you share documents.',
  },
  de: {
    subject: 'Testnachricht von Hearth',
    text: 'E-Mail funktioniert: Hearth kann Codes an die Menschen senden, mit denen Sie Dokumente teilen.',
  },
} as const;

/** The message with a code. */
export function codeMessage({ language, code, recipient, sender, minutes }: CodeMessage): MailMessage {
  const texts = CODE_TEXTS[language];
  const before = [texts.greeting(recipient), texts.from(sender), texts.code];
  const after = [texts.validity(minutes), texts.stranger];
  return {
    subject: texts.subject,
    text: [...before, code, ...after, ''].join('\n\n'),
    html: page(language, [
      ...before.map(paragraph),
      `<p style="font:600 28px/1.4 monospace;letter-spacing:4px">${escape(code)}</p>`,
      ...after.map(paragraph),
    ]),
  };
}

/** A message that shows that the mail server is set up. */
export function testMessage(language: CoreLanguage): MailMessage {
  const { subject, text } = TEST_TEXTS[language];
  return { subject, text: `${text}\n`, html: page(language, [paragraph(text)]) };
}

const paragraph = (text: string): string => `<p>${escape(text)}</p>`;

const page = (language: CoreLanguage, parts: readonly string[]): string =>
  `<!doctype html><html lang="${language}"><body style="font:16px/1.5 sans-serif">${parts.join('')}</body></html>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
