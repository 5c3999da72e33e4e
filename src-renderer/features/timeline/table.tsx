import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { TimelineReply } from '../../../src-shared/contract/timeline.ts';
import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import type { Span } from './axis.ts';
import { useEventLabels } from './labels.ts';
import '../../ui/table/table.css';

interface Line {
  key: string;
  date: string;
  when: string;
  kind: string;
  what: ReactNode;
  details: string;
}

/** Lines that come with one press. */
const MORE = 200;

/** The same in words: for screen readers, for print (then all of it), and for who would rather read. `first`: lines that are shown at once. */
export function Table({
  reply,
  span,
  first,
  onEvent,
}: {
  reply: TimelineReply;
  span: Span;
  first: number;
  onEvent: (id: number) => void;
}) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const eventLabels = useEventLabels();
  const isShown = (date: string): boolean => dayNumber(date) >= Math.floor(span.from) && dayNumber(date) < span.to;
  const toDocument = (id: number | null, text: string): ReactNode =>
    id === null ? (
      text
    ) : (
      <Link to="/documents/$id" params={{ id: String(id) }}>
        {text}
      </Link>
    );
  const lines: Line[] = [
    ...reply.events
      .filter(
        ({ date_start, date_end, is_ongoing }) =>
          dayNumber(date_start) < span.to && (is_ongoing || dayNumber(date_end ?? date_start) >= Math.floor(span.from)),
      )
      .map((event): Line => ({
        key: `event ${event.id}`,
        date: event.date_start,
        when: eventLabels.when(event),
        kind: eventLabels.type(event.event_type),
        what: (
          <button type="button" className="tl-link" onClick={() => onEvent(event.id)}>
            {event.title}
          </button>
        ),
        details: [
          event.specialty,
          event.severity && t(`severity_${event.severity}`),
          event.document_count > 0 ? t('documents_count', { count: event.document_count }) : null,
        ]
          .filter(Boolean)
          .join(' · '),
      })),
    ...(reply.documents ?? []).map((document): Line => ({
      key: `document ${document.id}`,
      date: document.date,
      when: formats.date(document.date),
      kind: vocabulary.documentType(document.doc_type),
      what: toDocument(document.id, document.title),
      details: [document.doctor_name, document.specialty].filter(Boolean).join(' · '),
    })),
    ...(reply.labs ?? []).map((labs): Line => ({
      key: `labs ${labs.document_id} ${labs.date}`,
      date: labs.date,
      when: formats.date(labs.date),
      kind: t('results'),
      what: toDocument(labs.document_id, t('results_count', { count: labs.results })),
      details: labs.abnormal > 0 ? t('abnormal_count', { count: labs.abnormal }) : '',
    })),
    ...(reply.imaging ?? []).map((study): Line => ({
      key: `study ${study.id}`,
      date: study.date,
      when: formats.date(study.date),
      kind: t('imaging'),
      what: toDocument(study.document_id, [study.modality, study.body_part].filter(Boolean).join(' ') || t('imaging')),
      details: '',
    })),
  ]
    .filter((line) => line.key.startsWith('event') || isShown(line.date))
    .sort((a, b) => Number(a.date < b.date) - Number(a.date > b.date));
  const [shown, showUpTo] = useShown(first);
  const range = {
    from: formats.dateFull(civilFromDay(Math.floor(span.from))),
    to: formats.dateFull(civilFromDay(Math.ceil(span.to) - 1)),
  };
  const intervals = reply.intervals.filter((interval) => isShown(interval.date)).reverse();
  const periodOf = (date: string): string => {
    if (reply.unit === 'year') return date.slice(0, 4);
    if (reply.unit !== 'month') return formats.date(date);
    const month = new Intl.DateTimeFormat(formats.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return month.format(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, 1));
  };
  return (
    <div className="stack tl-tables">
      {lines.length > 0 && (
        <section className="panel table-panel" role="region" tabIndex={0} aria-label={t('table', range)}>
          <table className="table tl-table">
            <caption className="sr-only">{t('table', range)}</caption>
            <thead>
              <tr>
                <th scope="col">{t('date')}</th>
                <th scope="col">{t('kind')}</th>
                <th scope="col">{t('what')}</th>
                <th scope="col">{t('details')}</th>
              </tr>
            </thead>
            <tbody>
              {lines.slice(0, shown).map((line) => (
                <tr key={line.key}>
                  <td className="num">{line.when}</td>
                  <td className="muted">{line.kind}</td>
                  <td>{line.what}</td>
                  <td className="muted">{line.details}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {lines.length > shown && (
            <p className="panel-body tl-more">
              <Button size="small" onClick={() => showUpTo(shown + MORE)}>
                {t('more', { count: lines.length - shown })}
              </Button>
            </p>
          )}
        </section>
      )}
      {intervals.length > 0 && (
        <section className="panel table-panel" role="region" tabIndex={0} aria-label={t('table_counts')}>
          <table className="table tl-table">
            <caption className="sr-only">{t('table_counts')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('period')}</th>
                <th scope="col" className="r">
                  {t('documents')}
                </th>
                <th scope="col" className="r">
                  {t('results')}
                </th>
                <th scope="col" className="r">
                  {t('outside')}
                </th>
                <th scope="col" className="r">
                  {t('imaging')}
                </th>
              </tr>
            </thead>
            <tbody>
              {intervals.slice(0, shown).map((interval) => (
                <tr key={interval.date}>
                  <td className="num">{periodOf(interval.date)}</td>
                  {(['documents', 'results', 'abnormal', 'imaging'] as const).map((name) => (
                    <td key={name} className="num r">
                      {interval[name] > 0 ? formats.count(interval[name]) : ''}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {intervals.length > shown && (
            <p className="panel-body tl-more">
              <Button size="small" onClick={() => showUpTo(shown + MORE)}>
                {t('more', { count: intervals.length - shown })}
              </Button>
            </p>
          )}
        </section>
      )}
    </div>
  );
}

/** How many lines are shown: the first ones, more on demand, all on paper. */
function useShown(first: number): [number, (count: number) => void] {
  const [more, setMore] = useState(0);
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The page is laid out for paper as soon as the event ends, so it must be whole by then.
    const begin = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return [printing ? Infinity : Math.max(first, more), setMore];
}
