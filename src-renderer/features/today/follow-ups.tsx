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
import { Button } from '../../ui/button.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { parseDate } from '../../ui/format/dates.ts';
import { Panel } from '../../ui/panel.tsx';
import { useToasts } from '../../client/toasts.tsx';

type Overview = Reply<typeof contract.today.overview>;
/** The most follow-ups that the API lists at once. */
const MAX_EXPORTED = 5000;

type FollowUp = Overview['follow_ups'][number];
type ChangeText = 'today.follow_up_moved' | 'today.follow_up_is_done';
type Changes = { follow_up_date: string } | { follow_up_done_date: string | null };

/** Follow-ups whose day has passed, emphasized until they are done or moved. */
export function OverduePanel({ items }: { items: readonly FollowUp[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (items.length === 0) return null;
  return (
    <Panel className="today-wide today-overdue" title={t('today.overdue_title')} aside={formats.count(items.length)}>
      <FollowUpRows items={items} />
    </Panel>
  );
}

/**
 * Open follow-ups that are still to come, the nearest first: each can be done or moved, and all go to a calendar file.
 * @param total the number of all of them, of which `items` are the first
 */
export function FollowUps({
  items,
  total,
  patient,
}: {
  items: readonly FollowUp[];
  total: number;
  patient: string | undefined;
}) {
  const { t } = useTranslation();
  const { showError } = useToasts();
  const formats = useFormats();
  if (items.length === 0) return null;
  return (
    <Panel
      className="today-wide"
      title={t('today.follow_ups')}
      aside={total > items.length ? formats.count(total) : undefined}
      actions={
        <Button
          className="push"
          size="small"
          onClick={() => void downloadCalendar(patient, t('today.follow_up')).catch(showError)}
        >
          {t('today.follow_up_calendar')}
        </Button>
      }
    >
      <FollowUpRows items={items} />
    </Panel>
  );
}

const FollowUpRows = ({ items }: { items: readonly FollowUp[] }) => (
  <ul className="lines">
    {items.map((item) => (
      <FollowUpRow key={item.encounter_id} item={item} />
    ))}
  </ul>
);

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
            change({ follow_up_date: date }, { follow_up_date: item.follow_up_date }, 'today.follow_up_moved');
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
            onClick={() => change(done, { follow_up_done_date: null }, 'today.follow_up_is_done')}
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
function useChange(item: FollowUp): (changes: Changes, undo: Changes, text: ChangeText) => void {
  const client = useQueryClient();
  const { begin } = useToasts();
  const send = async (body: Changes): Promise<void> => {
    await call(contract.documentRows.updateEncounter, { params: { id: String(item.encounter_id) }, body });
    for (const queryKey of [cacheKeys.today, cacheKeys.document(item.document_id)])
      void client.invalidateQueries({ queryKey });
  };
  const { mutate } = useMutation({
    mutationFn: ({ changes }: { changes: Changes; undo: Changes; text: ChangeText }) => send(changes),
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: (_result, { undo, text }, change) => change.done({ text: ({ t }) => t(text), undo: () => send(undo) }),
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
