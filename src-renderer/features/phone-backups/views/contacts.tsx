import type { ContactRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { ArrowLeft } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { birthdayText } from '../birthday.ts';
import type { ViewProps } from './view-props.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { vcardOf } from '../export/vcard.ts';
import { ItemList } from '../item-list.tsx';
import { contactPdf } from '../pdf/contact-pdf.ts';
import { allRows, useAnswer, useRowsOf } from '../queries.ts';
import type { BackupSource } from '../source/source.ts';
import { Toolbar } from '../toolbar.tsx';
import { useActiveRow } from '../use-active-row.ts';
import { useSearchState } from '../use-search-state.ts';

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

/** Address cards with their pictures. */
async function cardsOf(source: BackupSource, contacts: readonly ContactRow[]): Promise<string> {
  let cards = '';
  for (const contact of contacts) {
    const answer =
      contact.avatar_file_id === null
        ? null
        : await source.query('contactPicture', { guid: contact.contact_identifier });
    cards += vcardOf(contact, answer?.picture ?? null);
  }
  return cards;
}

function Picture({ source, contact }: { source: BackupSource; contact: ContactRow }) {
  const picture = useAnswer(source, 'contactPicture', { guid: contact.contact_identifier }).data?.picture;
  return picture && <img className="phone-avatar" src={`data:${picture.mime_type};base64,${picture.data}`} alt="" />;
}

/** The address book. */
export default function ContactsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const request = { query: { q: search.filter } };
  const rows = useRowsOf(source, 'contacts', request);
  const { total } = rows;
  const {
    index: active,
    row: contact,
    choose,
  } = useActiveRow(source, 'contacts', request, rows, (row) => row.contact_identifier);
  const save = async (type: 'vcf' | 'csv'): Promise<void> => {
    const all = await allRows(source, 'contacts', request);
    const text =
      type === 'vcf'
        ? await cardsOf(source, all)
        : csvOf(
            ['first_name', 'last_name', 'company', 'phones', 'emails', 'birthday', 'note'],
            all.map((row) => [
              row.first_name,
              row.last_name,
              row.company,
              row.phones.join('; '),
              row.emails.join('; '),
              row.birthday,
              row.note,
            ]),
          );
    saveBlob(new Blob([text], { type: type === 'vcf' ? 'text/vcard' : 'text/csv' }), `contacts.${type}`);
  };
  return (
    <div className="phone-panes" data-open={search.item !== undefined || undefined}>
      <div className="phone-pane-list">
        <Toolbar
          title={t('view.contacts')}
          count={total}
          source={source}
          labels={labels}
          exports={
            total
              ? [
                  { name: t('as_vcard'), run: () => save('vcf') },
                  { name: t('as_csv'), run: () => save('csv') },
                ]
              : []
          }
          filter={{
            value: search.filter ?? '',
            label: t('filter_people'),
            onChange: (text) => set({ filter: text || undefined, item: undefined }),
          }}
        />
        {rows.error !== null && (
          <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />
        )}
        {total === undefined && rows.error === null && <SkeletonLines count={10} label={t('loading')} />}
        {total === 0 && (
          <EmptyState title={search.filter ? t('no_match') : t('none_of', { what: t('view.contacts') })}>
            {search.filter ? undefined : t('none_text')}
          </EmptyState>
        )}
        {total !== undefined && total > 0 && (
          <ItemList
            label={t('view.contacts')}
            count={total}
            rowHeight={44}
            active={active}
            onShow={rows.show}
            onActive={choose}
          >
            {(index) => {
              const row = rows.at(index);
              return (
                row && (
                  <div
                    className="phone-talk phone-person"
                    data-chosen={row.contact_identifier === contact?.contact_identifier || undefined}
                  >
                    <span className="phone-initials" aria-hidden="true">
                      {initialsOf(row)}
                    </span>
                    <span className="truncate">{nameOf(row)}</span>
                    {row.company && row.company !== nameOf(row) && (
                      <span className="cap truncate push">{row.company}</span>
                    )}
                  </div>
                )
              );
            }}
          </ItemList>
        )}
      </div>
      <div className="phone-pane-main">
        <Button
          className="phone-back"
          variant="quiet"
          size="small"
          glyph={ArrowLeft}
          onClick={() => set({ item: undefined })}
        >
          {t('back')}
        </Button>
        {contact && (
          <>
            <Toolbar
              title={nameOf(contact)}
              count={undefined}
              source={source}
              labels={labels}
              pdf={() => contactPdf(nameOf(contact), contact, source.device, labels)}
              exports={[
                {
                  name: t('as_vcard'),
                  run: async () =>
                    saveBlob(
                      new Blob([await cardsOf(source, [contact])], { type: 'text/vcard' }),
                      `${safeName(nameOf(contact))}.vcf`,
                    ),
                },
              ]}
            />
            <article className="phone-contact">
              {contact.avatar_file_id !== null && <Picture source={source} contact={contact} />}
              <p className="muted">
                {[contact.job_title, contact.department, contact.company].filter(Boolean).join(' · ')}
              </p>
              <dl className="phone-facts">
                {(contact.labelled.length > 0
                  ? contact.labelled
                  : [
                      ...contact.phones.map((value) => ({ kind: 'phone' as const, label: null, value })),
                      ...contact.emails.map((value) => ({ kind: 'email' as const, label: null, value })),
                    ]
                ).map(({ kind, label, value }, index) => (
                  <div key={index}>
                    <dt>{label ?? t(`labelled.${kind}`)}</dt>
                    <dd className={kind === 'address' ? 'phone-lines' : 'num'}>{value}</dd>
                  </div>
                ))}
                {contact.birthday && (
                  <div>
                    <dt>{t('birthday')}</dt>
                    <dd className="num">{birthdayText(contact.birthday, labels.formats.locale)}</dd>
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
            </article>
          </>
        )}
      </div>
    </div>
  );
}
