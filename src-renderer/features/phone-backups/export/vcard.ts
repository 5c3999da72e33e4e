import type { ContactRow } from '../../../../src-shared/contract/phone-artifacts.ts';
import { escapeText, foldLine } from './fold-line.ts';

const PROPERTIES = { phone: 'TEL', email: 'EMAIL', url: 'URL', address: 'ADR', date: null, other: null } as const;
/** Labels that vCard has a word for (RFC 6350 5.6, 6.4.1). */
const TYPES: Readonly<Record<string, string>> = { home: 'home', work: 'work', mobile: 'cell', iphone: 'cell', main: 'voice', 'home fax': 'home,fax', 'work fax': 'work,fax', pager: 'pager' };

/** Contacts as vCard 4.0 (RFC 6350). */
export const vcardOf = (contacts: readonly ContactRow[]): string => contacts.map(cardOf).join('');

function cardOf(contact: ContactRow): string {
  const { first_name: first, middle_name: middle, last_name: last, company, department, job_title: job, nickname, note, birthday, modified_at: modified, contact_identifier: uid } = contact;
  const full = [first, middle, last].filter(Boolean).join(' ') || company || contact.emails[0] || contact.phones[0] || uid;
  const labelled = contact.labelled.filter(({ kind }) => PROPERTIES[kind] !== null);
  const listed = new Set(labelled.map(({ value }) => value));
  const lines = [
    'BEGIN:VCARD', 'VERSION:4.0', `UID:${escapeText(uid)}`, `FN:${escapeText(full)}`, `N:${[last, first, middle, null, null].map((part) => escapeText(part ?? '')).join(';')}`,
    nickname && `NICKNAME:${escapeText(nickname)}`, (company || department) && `ORG:${[company, department].filter((part) => part !== null).map((part) => escapeText(part)).join(';')}`, job && `TITLE:${escapeText(job)}`,
    birthday && /^\d{4}-\d\d-\d\d/.test(birthday) && `BDAY:${birthday.slice(0, 10).replace(/-/g, '')}`,
    ...labelled.map(({ kind, label, value }) => lineOf(kind, label, value)),
    ...contact.phones.filter((value) => !listed.has(value)).map((value) => lineOf('phone', null, value)), ...contact.emails.filter((value) => !listed.has(value)).map((value) => lineOf('email', null, value)),
    note && `NOTE:${escapeText(note)}`, modified && `REV:${modified.replace(/[-:]/g, '')}Z`, 'END:VCARD',
  ];
  return lines.filter((line) => typeof line === 'string' && line !== '').map((line) => `${foldLine(line as string)}\r\n`).join('');
}

function lineOf(kind: keyof typeof PROPERTIES, label: string | null, value: string): string {
  const type = TYPES[(label ?? '').toLowerCase()];
  const parameter = type === undefined ? '' : `;TYPE=${type.includes(',') ? `"${type}"` : type}`;
  // An address comes as printed lines: the lines are its street, whatever they hold.
  const text = kind === 'address' ? `;;${escapeText(value)};;;;` : kind === 'url' ? value.replace(/[\r\n]/g, '') : escapeText(value);
  return `${PROPERTIES[kind]}${parameter}:${text}`;
}
