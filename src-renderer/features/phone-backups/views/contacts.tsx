import type { ContactRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { birthdayText } from '../birthday.ts';
import { contactLabel } from '../contact-label.ts';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { saveCsv } from '../export/save-csv.ts';
import { vcardOf } from '../export/vcard.ts';
import type { PhoneLabels } from '../labels.ts';
import { contactPdf } from '../pdf/contact-pdf.ts';
import { allRows, useAnswer, useRowsOf } from '../queries.ts';
import type { BackupSource } from '../source/source.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { useSearchState } from '../use-search-state.ts';
import { ListAndPage, RowList } from './list-and-page.tsx';
import type { ViewProps } from './view-props.ts';
import '../facts.css';
import './open-item.css';

const nameOf = (row: ContactRow): string =>
  [row.prefix, row.first_name, row.middle_name, row.last_name, row.suffix].filter(Boolean).join(' ') ||
  row.company ||
  row.emails[0] ||
  row.phones[0] ||
  row.contact_identifier;
const initialsOf = (row: ContactRow): string =>
  [row.first_name, row.last_name]
    .map((part) => part?.trim()[0] ?? '')
    .join('')
    .toUpperCase() ||
  nameOf(row)[0]?.toUpperCase() ||
  '';

/** The address book. */
export default function ContactsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'contacts', request);
  const { total } = rows;
  const {
    index,
    row: contact,
    open,
  } = useActiveRow(source, 'contacts', request, rows, (row) => row.contact_identifier);
  const loadAll = (): Promise<ContactRow[]> => allRows(source, 'contacts', request);
  const exports = [
    { name: t('as_vcard'), run: async () => saveVcards('contacts.vcf', source, await loadAll()) },
    { name: t('as_csv'), run: async () => saveContactsCsv(await loadAll()) },
  ];
  const list = (
    <>
      <Toolbar
        title={t('view.contacts')}
        count={total}
        source={source}
        labels={labels}
        exports={total ? exports : []}
        filter={{
          value: search.filter ?? '',
          label: t('filter_people'),
          onChange: (text) => set({ filter: text || undefined, item: undefined }),
        }}
      />
      <RowList
        rows={rows}
        label={t('view.contacts')}
        rowHeight={44}
        active={index}
        onActive={open}
        empty={
          search.filter
            ? { title: t('no_match') }
            : { title: t('none_of', { what: t('view.contacts') }), text: t('none_text') }
        }
        labels={labels}
      >
        {(row) => <ContactItem contact={row} isOpen={row.contact_identifier === contact?.contact_identifier} />}
      </RowList>
    </>
  );
  return (
    <ListAndPage list={list} labels={labels}>
      {contact && <ContactPage contact={contact} source={source} labels={labels} />}
    </ListAndPage>
  );
}

async function saveVcards(filename: string, source: BackupSource, contacts: readonly ContactRow[]): Promise<void> {
  let cards = '';
  for (const contact of contacts) {
    const answer =
      contact.avatar_file_id === null
        ? null
        : await source.query('contactPicture', { guid: contact.contact_identifier });
    cards += vcardOf(contact, answer?.picture ?? null);
  }
  saveBlob(new Blob([cards], { type: 'text/vcard' }), filename);
}

function saveContactsCsv(contacts: readonly ContactRow[]): void {
  saveCsv(
    'contacts.csv',
    ['first_name', 'last_name', 'company', 'phones', 'emails', 'birthday', 'note'],
    contacts.map((row) => [
      row.first_name,
      row.last_name,
      row.company,
      row.phones.join('; '),
      row.emails.join('; '),
      row.birthday,
      row.note,
    ]),
  );
}

function ContactItem({ contact, isOpen }: { contact: ContactRow; isOpen: boolean }) {
  const name = nameOf(contact);
  return (
    <div className="phone-item phone-person" data-selected={isOpen || undefined}>
      <span className="phone-initials" aria-hidden="true" translate="no">
        {initialsOf(contact)}
      </span>
      <span className="truncate">{name}</span>
      {contact.company && contact.company !== name && <span className="cap truncate push">{contact.company}</span>}
    </div>
  );
}

function ContactPage({ contact, source, labels }: ViewProps & { contact: ContactRow }) {
  const { t } = labels;
  const name = nameOf(contact);
  const saveVcard = (): Promise<void> => saveVcards(`${safeName(name)}.vcf`, source, [contact]);
  return (
    <>
      <Toolbar
        title={name}
        count={undefined}
        source={source}
        labels={labels}
        pdf={() => contactPdf(name, contact, source.device, labels)}
        exports={[{ name: t('as_vcard'), run: saveVcard }]}
      />
      <article className="phone-contact">
        {contact.avatar_file_id !== null && <ContactPicture source={source} contact={contact} />}
        <p className="muted">{[contact.job_title, contact.department, contact.company].filter(Boolean).join(' · ')}</p>
        <ContactFacts contact={contact} labels={labels} />
      </article>
    </>
  );
}

function ContactPicture({ source, contact }: { source: BackupSource; contact: ContactRow }) {
  const picture = useAnswer(source, 'contactPicture', { guid: contact.contact_identifier }).data?.picture;
  return picture && <img className="phone-avatar" src={`data:${picture.mime_type};base64,${picture.data}`} alt="" />;
}

/** Numbers and addresses with their labels; without labels if the backup has none. */
function contactDetails({ labelled, phones, emails }: ContactRow): ContactRow['labelled'] {
  if (labelled.length > 0) return labelled;
  return [
    ...phones.map((value) => ({ kind: 'phone' as const, label: null, value })),
    ...emails.map((value) => ({ kind: 'email' as const, label: null, value })),
  ];
}

function ContactFacts({ contact, labels }: { contact: ContactRow; labels: PhoneLabels }) {
  const { t, formats } = labels;
  return (
    <dl className="phone-facts">
      {contactDetails(contact).map(({ kind, label, value }, index) => (
        <div key={index}>
          <dt>{contactLabel(t, kind, label)}</dt>
          <dd className={kind === 'address' ? 'phone-lines' : 'num'}>{value}</dd>
        </div>
      ))}
      {contact.birthday && (
        <div>
          <dt>{t('birthday')}</dt>
          <dd className="num">{birthdayText(contact.birthday, formats.locale)}</dd>
        </div>
      )}
      {contact.nickname && (
        <div>
          <dt>{t('nickname')}</dt>
          <dd>{contact.nickname}</dd>
        </div>
      )}
      {contact.note && (
        <div>
          <dt>{t('note')}</dt>
          <dd className="phone-lines">{contact.note}</dd>
        </div>
      )}
    </dl>
  );
}
