import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { now, today } from '../../client/clock.ts';
import { useFormats } from '../../client/format.ts';
import { localeOf } from '../../client/language.ts';
import { RowPerson } from '../../client/people.tsx';
import { useMayEdit } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { parseDate } from '../../ui/format/dates.ts';
import { Panel } from '../../ui/panel.tsx';
import { useToasts } from '../../ui/toasts.tsx';

type Overview = Reply<typeof contract.today.overview>;
/** The most follow-ups that the API lists at once. */
const MAX_EXPORTED = 5000;

type FollowUp = Overview['follow_ups'][number];
type Changes = { follow_up_date: string } | { follow_up_done_date: string | null };

/** Open follow-ups, the nearest first: each can be done or moved, and all go to a calendar file. */
export function FollowUps({ data, patient }: { data: Overview; patient: string | undefined }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const { show } = useToasts();
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const formats = useFormats();
  const items = data.follow_ups;
  return (
    <Panel
      className="today-wide"
      title={t('today.follow_ups')}
      aside={data.follow_up_total > items.length ? formats.count(data.follow_up_total) : undefined}
      actions={
        items.length > 0 ? (
          <Button size="small" onClick={() => void downloadCalendar(patient, t('today.follow_up')).catch(showError)}>
            {t('today.follow_up_calendar')}
          </Button>
        ) : undefined
      }
    >
      {items.length === 0 && <p className="panel-body cap">{t('today.follow_ups_none')}</p>}
      <ul className="lines">
        {items.map((item) => (
          <FollowUpRow key={item.encounter_id} item={item} />
        ))}
      </ul>
    </Panel>
  );
}

function FollowUpRow({ item }: { item: FollowUp }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayEdit = useMayEdit();
  const [isMoving, setIsMoving] = useState(false);
  const change = useChange(item);
  const title = item.follow_up_instructions ?? t('today.follow_up');
  const isOverdue = item.follow_up_date < today();
  const done = { follow_up_done_date: today() };
  return (
    <li className="follow-up-row">
      <span className="who-line">
        <RowPerson of={item} />
        <Link className="truncate strong" to="/documents/$id" params={{ id: String(item.document_id) }}>
          {title}
        </Link>
      </span>
      <span className="muted truncate">{t('today.follow_up_from', { date: formats.date(item.document_date) })}</span>
      {isMoving ? (
        <NewDate
          label={t('today.follow_up_new_date', { title })}
          value={item.follow_up_date}
          onEnter={(date) => {
            setIsMoving(false);
            if (date === null || date === item.follow_up_date) return;
            change({ follow_up_date: date }, { follow_up_date: item.follow_up_date }, t('today.follow_up_moved'));
          }}
        />
      ) : (
        <span className={isOverdue ? 'high num' : 'cap num'}>
          {formats.date(item.follow_up_date)}
          {isOverdue && ` · ${t('today.overdue')}`}
        </span>
      )}
      {mayEdit && (
        <span className="follow-up-actions">
          <Button
            size="small"
            aria-label={t('today.follow_up_mark_done', { title })}
            onClick={() => change(done, { follow_up_done_date: null }, t('today.follow_up_is_done'))}
          >
            {t('today.follow_up_done')}
          </Button>
          <Button
            size="small"
            aria-label={t('today.follow_up_move', { title })}
            aria-pressed={isMoving}
            // Leaving the field would save its date and close it, and the click open it again.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setIsMoving(!isMoving)}
          >
            {t('action.move')}
          </Button>
        </span>
      )}
    </li>
  );
}

/** A date to type. It is entered by Enter or by leaving the field, never while a year is half typed; null by Escape. */
function NewDate({ label, value, onEnter }: { label: string; value: string; onEnter: (date: string | null) => void }) {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  const [typed, setTyped] = useState(value);
  const enter = (text: string): void => {
    const date = parseDate(text, locale);
    if (date !== null && date !== '') onEnter(date);
  };
  return (
    <DateInput
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      locale={locale}
      value={typed}
      onChange={setTyped}
      onBlur={(event) => enter(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') enter(event.currentTarget.value);
        if (event.key === 'Escape') onEnter(null);
      }}
    />
  );
}

/** Saves a change of a follow-up and offers to undo it. */
function useChange(item: FollowUp): (changes: Changes, undo: Changes, text: string) => void {
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const send = async (body: Changes): Promise<void> => {
    await call(contract.documentRows.updateEncounter, { params: { id: String(item.encounter_id) }, body });
    for (const queryKey of [cacheKeys.today, cacheKeys.document(item.document_id)])
      void client.invalidateQueries({ queryKey });
  };
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const { mutate } = useMutation({
    mutationFn: ({ changes }: { changes: Changes; undo: Changes; text: string }) => send(changes),
    onError: showError,
    onSuccess: (_result, { undo, text }) => show({ text, undo: () => send(undo).catch(showError) }),
  });
  return (changes, undo, text) => mutate({ changes, undo, text });
}

/** Saves all open follow-ups, also those that the panel does not show. */
async function downloadCalendar(patient: string | undefined, untitled: string): Promise<void> {
  const query = { follow_ups: String(MAX_EXPORTED), ...(patient !== undefined && { patient_id: patient }) };
  const { follow_ups: items } = await call(contract.today.overview, { query });
  const { icsOfFollowUps } = await import('./follow-ups-ics.ts');
  const blob = new Blob([icsOfFollowUps(items, untitled, now())], { type: 'text/calendar' });
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: address, download: 'follow-ups.ics' }).click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
