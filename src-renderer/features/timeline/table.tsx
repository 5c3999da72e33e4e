import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { TimelineReply } from '../../../src-shared/contract/timeline.ts';
import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { useFormats } from '../../client/format.ts';
import { useTitles } from '../../client/document-title.ts';
import { useSpecialtyName } from '../../client/entry-name.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import type { Span } from './axis.ts';
import { useEventLabels } from './labels.ts';
import '../../ui/table/table.css';
import { useResultFlags } from './use-result-flags.ts';

interface Line {
  key: string;
  date: string;
  when: string;
  kind: string;
  what: ReactNode;
  details: string;
}

/** Rows that "Show more" adds. */
const PAGE_SIZE = 200;

const COUNTS = ['documents', 'results', 'abnormal', 'uncertain', 'imaging'] as const;

interface Props {
  reply: TimelineReply;
  span: Span;
  /** Rows that are shown at first. */
  initialCount: number;
  onEvent: (id: number) => void;
}

/** The timeline as tables: for screen readers, for print (then in full), and for people who prefer to read. */
export function Table({ reply, span, initialCount, onEvent }: Props) {
  const lines = useLines(reply, span, onEvent);
  const intervals = reply.intervals.filter((interval) => isInSpan(interval.date, span)).reverse();
  const [count, setCount] = useVisibleCount(initialCount);
  const more = { count, onMore: () => setCount(count + PAGE_SIZE) };
  return (
    <div className="stack tl-tables">
      {lines.length > 0 && <EntryTable lines={lines} span={span} {...more} />}
      {intervals.length > 0 && <CountTable intervals={intervals} unit={reply.unit} {...more} />}
    </div>
  );
}

const isInSpan = (date: string, span: Span): boolean =>
  dayNumber(date) >= Math.floor(span.from) && dayNumber(date) < span.to;

/** Everything dated in the span, oldest first. */
function useLines(reply: TimelineReply, span: Span, onEvent: (id: number) => void): Line[] {
  const eventLine = useEventLine(onEvent);
  const { documentLine, labsLine, studyLine } = useRecordLines();
  const events = reply.events.filter(
    ({ date_start, date_end, is_ongoing }) =>
      dayNumber(date_start) < span.to && (is_ongoing || dayNumber(date_end ?? date_start) >= Math.floor(span.from)),
  );
  const records = [
    ...(reply.documents ?? []).map(documentLine),
    ...(reply.labs ?? []).map(labsLine),
    ...(reply.imaging ?? []).map(studyLine),
  ].filter((line) => isInSpan(line.date, span));
  return [...events.map(eventLine), ...records].sort((a, b) => Number(a.date < b.date) - Number(a.date > b.date));
}

function useEventLine(onEvent: (id: number) => void): (event: TimelineReply['events'][number]) => Line {
  const { t } = useTranslation('timeline');
  const labels = useEventLabels();
  const specialtyName = useSpecialtyName();
  return (event) => ({
    key: `event ${event.id}`,
    date: event.date_start,
    when: labels.when(event),
    kind: labels.type(event.event_type),
    what: (
      <button type="button" className="tl-link" onClick={() => onEvent(event.id)}>
        {event.title}
      </button>
    ),
    details: [
      specialtyName(event.specialty),
      event.severity && t(`severity_${event.severity}`),
      event.document_count > 0 ? t('documents_count', { count: event.document_count }) : null,
    ]
      .filter(Boolean)
      .join(' · '),
  });
}

const documentLink = (id: number | null, text: string): ReactNode =>
  id === null ? (
    text
  ) : (
    <Link to="/documents/$id" params={{ id: String(id) }}>
      {text}
    </Link>
  );

/** Converts documents, lab results and imaging studies to lines. */
function useRecordLines() {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const titles = useTitles();
  const flags = useResultFlags();
  const specialtyName = useSpecialtyName();
  return {
    documentLine: (document: NonNullable<TimelineReply['documents']>[number]): Line => ({
      key: `document ${document.id}`,
      date: document.date,
      when: formats.date(document.date),
      kind: vocabulary.documentType(document.doc_type),
      what: documentLink(document.id, titles.title(document)),
      details: [titles.notable(document), document.doctor_name, specialtyName(document.specialty)]
        .filter(Boolean)
        .join(' · '),
    }),
    labsLine: (labs: NonNullable<TimelineReply['labs']>[number]): Line => ({
      key: `labs ${labs.document_id} ${labs.date}`,
      date: labs.date,
      when: formats.date(labs.date),
      kind: t('results'),
      what: documentLink(labs.document_id, t('results_count', { count: labs.results })),
      details: flags(labs).join(' · '),
    }),
    studyLine: (study: NonNullable<TimelineReply['imaging']>[number]): Line => ({
      key: `study ${study.id}`,
      date: study.date,
      when: formats.date(study.date),
      kind: t('imaging'),
      what: documentLink(
        study.document_id,
        [study.modality, study.body_part].filter(Boolean).join(' ') || t('imaging'),
      ),
      details: '',
    }),
  };
}

interface MoreProps {
  count: number;
  onMore: () => void;
}

function MoreButton({ hidden, onMore }: { hidden: number; onMore: () => void }) {
  const { t } = useTranslation('timeline');
  if (hidden <= 0) return null;
  return (
    <p className="panel-body tl-more">
      <Button size="small" onClick={onMore}>
        {t('more', { count: hidden })}
      </Button>
    </p>
  );
}

function EntryTable({ lines, span, count, onMore }: { lines: readonly Line[]; span: Span } & MoreProps) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const caption = t('table', {
    from: formats.dateFull(civilFromDay(Math.floor(span.from))),
    to: formats.dateFull(civilFromDay(Math.ceil(span.to) - 1)),
  });
  return (
    <section className="panel table-panel" role="region" tabIndex={0} aria-label={caption}>
      <table className="table tl-table tl-entries">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('date')}</th>
            <th scope="col">{t('kind')}</th>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('details')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, count).map((line) => (
            <tr key={line.key}>
              <td className="num">{line.when}</td>
              <td className="muted">{line.kind}</td>
              <td>{line.what}</td>
              <td className="muted">{line.details}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <MoreButton hidden={lines.length - count} onMore={onMore} />
    </section>
  );
}

/** How many documents, results and studies each period has. */
function CountTable({
  intervals,
  unit,
  count,
  onMore,
}: { intervals: TimelineReply['intervals']; unit: TimelineReply['unit'] } & MoreProps) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const periodOf = (date: string): string => {
    if (unit === 'year') return date.slice(0, 4);
    return unit === 'month' ? formats.monthYear(date) : formats.date(date);
  };
  const titles = {
    documents: t('documents'),
    results: t('results'),
    abnormal: t('outside'),
    uncertain: t('uncertain'),
    imaging: t('imaging'),
  };
  return (
    <section className="panel table-panel" role="region" tabIndex={0} aria-label={t('table_counts')}>
      <table className="table tl-table">
        <caption className="sr-only">{t('table_counts')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('period')}</th>
            {COUNTS.map((name) => (
              <th key={name} scope="col" className="r">
                {titles[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {intervals.slice(0, count).map((interval) => (
            <tr key={interval.date}>
              <td className="num">{periodOf(interval.date)}</td>
              {COUNTS.map((name) => (
                <td key={name} className="num r">
                  {interval[name] > 0 ? formats.count(interval[name]) : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <MoreButton hidden={intervals.length - count} onMore={onMore} />
    </section>
  );
}

/** The number of visible rows: the first ones, more on demand, and all of them for printing. */
function useVisibleCount(initialCount: number): [number, (count: number) => void] {
  const [requested, setRequested] = useState(0);
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    // The browser lays out the printed page as soon as the event ends, so render in full before that.
    const begin = (): void => flushSync(() => setIsPrinting(true));
    const end = (): void => setIsPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return [isPrinting ? Infinity : Math.max(initialCount, requested), setRequested];
}
