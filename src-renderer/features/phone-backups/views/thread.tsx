import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { MessageRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { ErrorState, Skeleton, SkeletonLines } from '../../../ui/states.tsx';
import { conversationHtml, printHtml } from '../export/conversation-html.ts';
import { csvOf } from '../export/csv.ts';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { saveFiles } from '../export/zip.ts';
import { conversationPdf } from '../pdf/conversation-pdf.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import { useOpenBackups } from '../source/open-backups.ts';
import type { Task } from '../task.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { useRowSelection } from '../use-row-selection.ts';
import { localDay } from '../local-day.ts';
import type { ViewProps } from './view-props.ts';
import { ATTACHMENT_DOMAINS } from '../message-text.ts';
import { MessageBubble } from './message-bubble.tsx';

/** Pixels from the end that still count as the end. */
const NEAR_END = 40;

/** One conversation from its first message to its last; opened at its end, or at the message that was looked for. */
export function Thread({ source, labels, kind, guid }: ViewProps & { kind: 'messages' | 'whatsapp'; guid: string }) {
  const { t } = labels;
  const { search } = useSearchState();
  const name = kind === 'messages' ? 'conversation' : 'chat';
  const rows = useRowsOf(source, name, { guid });
  const { total } = rows;
  const head = rows.head as
    | {
        conversation?: { display_name: string | null; participants: { name: string | null; handle: string }[] };
        chat?: { title: string | null; participants: { name: string | null; handle: string }[] };
      }
    | undefined;
  const talk = head?.conversation ?? head?.chat;
  const title =
    head?.conversation?.display_name ||
    head?.chat?.title ||
    talk?.participants.map((person) => person.name ?? person.handle).join(', ') ||
    guid;
  const selection = useRowSelection<MessageRow>((message) => message.message_guid);
  const box = useRef<HTMLDivElement>(null);
  const lines = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => 64,
    overscan: 8,
  });
  const rendered = lines.getVirtualItems();
  const first = rendered[0]?.index ?? 0,
    last = rendered.at(-1)?.index ?? 0;
  const show = useRef(rows.show);
  show.current = rows.show;
  useEffect(() => {
    show.current(first, last);
  }, [first, last]);
  const requestedAt = search.at;
  const { backups } = useOpenBackups();
  const place = `${kind}\n${guid}`;
  // Line heights vary, so the saved position is the index of the first line; the end of the thread is not saved.
  const savedPosition = useRef(backups.places.get(place));
  // Lines are measured once they are drawn: the end moves until they are, and is followed until the person scrolls.
  const atEnd = useRef(savedPosition.current === undefined);
  const height = lines.getTotalSize();
  const space = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!space.current) return undefined;
    const follow = new ResizeObserver(() => {
      if (atEnd.current && requestedAt === undefined && box.current) box.current.scrollTop = box.current.scrollHeight;
    });
    follow.observe(space.current);
    return () => follow.disconnect();
  }, [requestedAt]);
  useEffect(() => {
    if (savedPosition.current !== undefined && requestedAt === undefined && total)
      lines.scrollToIndex(savedPosition.current, { align: 'start' });
  }, [lines, total, requestedAt]);
  const isUsed = useRef(false);
  const keep = (): void => {
    const element = box.current;
    // Saves a position that the user scrolled to, not that of a search hit.
    if (!element || !isUsed.current) return;
    if (element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END) backups.places.delete(place);
    else backups.places.set(place, lines.getVirtualItemForOffset(element.scrollTop)?.index ?? 0);
  };
  const leaveEnd = (): void => {
    atEnd.current = false;
    isUsed.current = true;
  };
  useEffect(() => {
    if (requestedAt === undefined || !total) return;
    const gone = new AbortController();
    // The address has the message's id; the source looks up its position in the thread.
    void source.query(name, { guid, query: { at: requestedAt, limit: '1' } }, gone.signal).then(
      ({ place }) => {
        if (!gone.signal.aborted && place !== null) lines.scrollToIndex(place, { align: 'center' });
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [requestedAt, total, source, name, guid, lines]);

  const messages = async (): Promise<MessageRow[]> =>
    selection.size > 0
      ? selection.items.toSorted((a, b) => (a.sent_at ?? '').localeCompare(b.sent_at ?? ''))
      : allRows(source, name, { guid });
  const filesOf = (all: readonly MessageRow[]): Outgoing[] =>
    all.flatMap((message) =>
      message.attachments.flatMap((file) =>
        file.file_id === null
          ? []
          : [
              outgoingOf(
                {
                  fileId: file.file_id,
                  path: file.relative_path ?? '',
                  domain: ATTACHMENT_DOMAINS[kind],
                  at: message.sent_at,
                  size: file.size_bytes,
                  filename: file.filename,
                  what: t(message.is_from_me ? 'origin_to' : 'origin_from', {
                    name: message.is_from_me ? title : (message.sender_name ?? message.sender ?? title),
                    kind: t(`view.${kind}`),
                  }),
                },
                source.device,
                labels,
              ),
            ],
      ),
    );
  const people =
    talk?.participants.map((person) => (person.name === null ? person.handle : `${person.name} (${person.handle})`)) ??
    [];
  const pdf = async (): Promise<PdfExport> =>
    conversationPdf({ title, people, kind: t(`view.${kind}`) }, await messages(), source.device, labels);
  const others = {
    html: async () =>
      saveBlob(
        new Blob([conversationHtml(title, await messages(), labels)], { type: 'text/html' }),
        `${safeName(title)}.html`,
      ),
    print: async () => printHtml(conversationHtml(title, await messages(), labels)),
  };
  const exports = [
    { name: t('as_html'), run: others.html },
    { name: t('as_print'), run: others.print },
    {
      name: t('as_csv'),
      run: async () =>
        saveBlob(
          new Blob(
            [
              csvOf(
                ['sent_at', 'from', 'text', 'attachments', 'guid'],
                (await messages()).map((m) => [
                  m.sent_at,
                  m.is_from_me ? t('me') : (m.sender_name ?? m.sender),
                  m.text,
                  m.attachments.map(({ filename, relative_path: path }) => filename ?? path).join('; '),
                  m.message_guid,
                ]),
              ),
            ],
            { type: 'text/csv' },
          ),
          `${safeName(title)}.csv`,
        ),
    },
    {
      name: t('attachments'),
      run: async (task: Task) => saveFiles(source, filesOf(await messages()), `${safeName(title)}.zip`, labels, task),
    },
  ];
  return (
    <>
      <Toolbar
        title={title}
        count={total}
        source={source}
        labels={labels}
        exports={exports}
        pdf={pdf}
        otherWays={others}
        sends={async () => filesOf(await messages())}
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
      </Toolbar>
      {rows.error !== null && (
        <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />
      )}
      {total === undefined && rows.error === null && <SkeletonLines count={8} label={t('loading')} />}
      <div
        ref={box}
        className="phone-thread"
        role="log"
        aria-label={title}
        tabIndex={0}
        onScroll={keep}
        onWheel={leaveEnd}
        onTouchMove={leaveEnd}
        onKeyDown={leaveEnd}
      >
        <div ref={space} className="phone-space" style={{ height }}>
          {rendered.map(({ index, start, key }) => {
            const message = rows.at(index),
              before = index > 0 ? rows.at(index - 1) : undefined;
            const opensDay =
              message?.sent_at &&
              (index === 0 || (before?.sent_at && localDay(before.sent_at) !== localDay(message.sent_at)));
            return (
              <div
                key={String(key)}
                ref={lines.measureElement}
                data-index={index}
                className="phone-line phone-message-line"
                style={{ transform: `translateY(${start}px)` }}
              >
                {opensDay && (
                  <div className="phone-day">
                    <span>{labels.formats.dateLong(localDay(message.sent_at ?? ''))}</span>
                  </div>
                )}
                {message ? (
                  <MessageBubble
                    message={message}
                    kind={kind}
                    showSender={(talk?.participants.length ?? 0) > 1 && before?.sender !== message.sender}
                    isWanted={message.message_guid === requestedAt}
                    isSelected={selection.has(message)}
                    onChoose={() => selection.toggle(message)}
                    source={source}
                    labels={labels}
                  />
                ) : (
                  <Skeleton width="40%" height={32} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
