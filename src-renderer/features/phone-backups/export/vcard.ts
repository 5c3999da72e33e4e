import type { ContactPicture, ContactRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { birthdayOf } from '../birthday.ts';
import { escapeText, foldLine } from './fold-line.ts';

type Labelled = ContactRow['labelled'][number];
/** Values without a standard property use the property names that Apple's programs read. */
const PROPERTIES: Readonly<Record<Labelled['kind'], string>> = {
  phone: 'TEL',
  email: 'EMAIL',
  url: 'URL',
  address: 'ADR',
  date: 'X-ABDATE',
  other: 'X-OTHER',
};
/** Labels with a type in vCard (RFC 6350, 5.6 and 6.4.1). */
const TYPES: Readonly<Record<string, string>> = {
  home: 'home',
  work: 'work',
  mobile: 'cell',
  iphone: 'cell',
  main: 'voice',
  'home fax': 'home,fax',
  'work fax': 'work,fax',
  pager: 'pager',
};

/** Writes a contact as vCard 4.0 (RFC 6350); a file may contain several cards. */
export function vcardOf(contact: ContactRow, picture: ContactPicture | null = null): string {
  const {
    prefix,
    first_name: first,
    middle_name: middle,
    last_name: last,
    suffix,
    company,
    department,
    job_title: job,
    nickname,
    note,
    birthday,
    modified_at: modified,
    contact_identifier: uid,
  } = contact;
  const fullName =
    [prefix, first, middle, last, suffix].filter(Boolean).join(' ') ||
    company ||
    nickname ||
    contact.emails[0] ||
    contact.phones[0] ||
    uid;
  const labelledValues = new Set(contact.labelled.map(({ value }) => value));
  const birthDate = birthday === null ? null : birthdayOf(birthday);
  let groups = 0;
  const group = (): string => `item${(groups += 1)}`;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `UID:${escapeText(uid)}`,
    `FN:${escapeText(fullName)}`,
    `N:${[last, first, middle, prefix, suffix].map((part) => escapeText(part ?? '')).join(';')}`,
    nickname && `NICKNAME:${escapeText(nickname)}`,
    (company || department) &&
      `ORG:${[company ?? '', ...(department ? [department] : [])].map((part) => escapeText(part)).join(';')}`,
    job && `TITLE:${escapeText(job)}`,
    birthDate && `BDAY:${birthDate.year ?? '--'}${birthDate.month}${birthDate.day}`,
    ...contact.labelled.flatMap((value) => linesOf(value, group)),
    ...contact.phones.filter((value) => !labelledValues.has(value)).map((value) => `TEL:${escapeText(value)}`),
    ...contact.emails.filter((value) => !labelledValues.has(value)).map((value) => `EMAIL:${escapeText(value)}`),
    picture && `PHOTO:data:${picture.mime_type};base64,${picture.data}`,
    note && `NOTE:${escapeText(note)}`,
    modified && `REV:${modified.replace(/[-:]/g, '').replace(/\..*$/, '')}Z`,
    'END:VCARD',
  ];
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => `${foldLine(line as string)}\r\n`)
    .join('');
}

/** Writes a value as vCard text. Postal addresses have no components here, so all lines go into the street. */
function propertyValue(kind: Labelled['kind'], value: string): string {
  if (kind === 'address') return `;;${escapeText(value)};;;;`;
  return kind === 'url' ? value.replace(/[\u0000-\u001f\u007f]/g, '') : escapeText(value);
}

/** Writes a value with its label: as a type if vCard has one, else as X-ABLABEL in the same group. */
function linesOf({ kind, label, value }: Labelled, group: () => string): string[] {
  const lowerLabel = label?.toLowerCase() ?? '',
    day = kind === 'date' ? birthdayOf(value) : null;
  if (day && lowerLabel === 'anniversary') return [`ANNIVERSARY:${day.year ?? '--'}${day.month}${day.day}`];
  const type = kind === 'date' || kind === 'other' ? undefined : TYPES[lowerLabel];
  const text = propertyValue(kind, value);
  if (type !== undefined) return [`${PROPERTIES[kind]};TYPE=${type.includes(',') ? `"${type}"` : type}:${text}`];
  if (label === null) return [`${PROPERTIES[kind]}:${text}`];
  const item = group();
  return [`${item}.${PROPERTIES[kind]}:${text}`, `${item}.X-ABLABEL:${escapeText(label)}`];
}
