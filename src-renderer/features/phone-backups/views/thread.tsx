import type { VirtualItem } from '@tanstack/react-virtual';
import type { Ref } from 'react';
import type { MessageRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { ErrorState, Skeleton, SkeletonLines } from '../../../ui/states.tsx';
import { localDay } from '../local-day.ts';
import type { ConversationKind } from '../message-text.ts';
import { conversationPdf } from '../pdf/conversation-pdf.ts';
import type { PdfExport } from '../pdf/pdf-head.ts';
import { allRows, useRowsOf, type Rows } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useRowSelection, type Selection } from '../use-row-selection.ts';
import { useSearchState } from '../use-search-state.ts';
import { MessageBubble } from './message-bubble.tsx';
import { attachmentsOf, htmlWaysOf, threadExports } from './thread-exports.ts';
import { useThreadScroll } from './use-thread-scroll.ts';
import type { PhoneLabels } from '../labels.ts';
import type { ViewProps } from './view-props.ts';
import '../virtual-list.css';
import './thread.css';

const QUERY_NAMES = { messages: 'conversation', whatsapp: 'chat' } as const;

interface Participant {
  name: string | null;
  handle: string;
}
interface ThreadHead {
  conversation?: { display_name: string | null; participants: Participant[] };
  chat?: { title: string | null; participants: Participant[] };
}

/** Title and participants of a conversation; its id is the title until they are loaded, or if it has none. */
function summarizeThread(
  head: ThreadHead | undefined,
  guid: string,
): { title: string; participants: readonly Participant[] } {
  const participants = (head?.conversation ?? head?.chat)?.participants ?? [];
  const names = participants.map(({ name, handle }) => name ?? handle).join(', ');
  return { title: head?.conversation?.display_name || head?.chat?.title || names || guid, participants };
}

/** A conversation from its first message to its last; opens at its end, or at the message of a search hit. */
export function Thread({ source, labels, kind, guid }: ViewProps & { kind: ConversationKind; guid: string }) {
  const { t } = labels;
  const name = QUERY_NAMES[kind];
  const rows = useRowsOf(source, name, { guid });
  const { total } = rows;
  const { title, participants } = summarizeThread(rows.head as ThreadHead | undefined, guid);
  const selection = useRowSelection<MessageRow>((message) => message.message_guid);
  const context = { kind, title, source, labels };
  const loadMessages = async (): Promise<MessageRow[]> =>
    selection.size > 0
      ? selection.items.toSorted((a, b) => (a.sent_at ?? '').localeCompare(b.sent_at ?? ''))
      : allRows(source, name, { guid });
  const makePdf = async (): Promise<PdfExport> => {
    const people = participants.map((person) =>
      person.name === null ? person.handle : `${person.name} (${person.handle})`,
    );
    return conversationPdf({ title, people, kind: t(`view.${kind}`) }, await loadMessages(), source.device, labels);
  };
  const htmlWays = htmlWaysOf(loadMessages, context);
  return (
    <>
      <Toolbar
        title={title}
        count={total}
        source={source}
        labels={labels}
        exports={threadExports(loadMessages, htmlWays, context)}
        pdf={makePdf}
        otherWays={htmlWays}
        sends={async () => attachmentsOf(await loadMessages(), context)}
      >
        {selection.size > 0 && <span className="cap num">{t('chosen', { count: selection.size })}</span>}
      </Toolbar>
      {rows.error !== null && (
        <ErrorState message={labels.error(rows.error)} retryLabel={t('retry')} onRetry={rows.retry} />
      )}
      {total === undefined && rows.error === null && <SkeletonLines count={8} label={t('loading')} />}
      <ThreadLines
        source={source}
        labels={labels}
        kind={kind}
        guid={guid}
        title={title}
        rows={rows}
        isGroup={participants.length > 1}
        selection={selection}
      />
    </>
  );
}

interface LinesProps extends ViewProps {
  kind: ConversationKind;
  guid: string;
  title: string;
  rows: Rows<MessageRow>;
  isGroup: boolean;
  selection: Selection<MessageRow>;
}

/** The messages; only the visible ones are rendered. */
function ThreadLines({ source, labels, kind, guid, title, rows, isGroup, selection }: LinesProps) {
  const { search } = useSearchState();
  const { box, space, lines, savePosition, noteUserScroll } = useThreadScroll({
    source,
    name: QUERY_NAMES[kind],
    guid,
    positionKey: `${kind}\n${guid}`,
    total: rows.total,
    requestedId: search.at,
    onRange: rows.show,
  });
  return (
    <div
      ref={box}
      className="phone-thread"
      role="log"
      aria-label={title}
      tabIndex={0}
      onScroll={savePosition}
      onWheel={noteUserScroll}
      onTouchMove={noteUserScroll}
      onKeyDown={noteUserScroll}
    >
      <div ref={space} className="phone-space" style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map((line) => (
          <MessageLine
            key={String(line.key)}
            ref={lines.measureElement}
            line={line}
            message={rows.at(line.index)}
            previous={line.index > 0 ? rows.at(line.index - 1) : undefined}
            isGroup={isGroup}
            kind={kind}
            selection={selection}
            labels={labels}
          />
        ))}
      </div>
    </div>
  );
}

interface LineProps {
  ref: Ref<HTMLDivElement>;
  line: VirtualItem;
  /** Undefined until its page is loaded. */
  message: MessageRow | undefined;
  previous: MessageRow | undefined;
  isGroup: boolean;
  kind: ConversationKind;
  selection: Selection<MessageRow>;
  labels: PhoneLabels;
}

/** One message, under the heading of its day if it is the first of that day. */
function MessageLine({ ref, line, message, previous, isGroup, kind, selection, labels }: LineProps) {
  const { search } = useSearchState();
  const opensDay =
    message?.sent_at &&
    (line.index === 0 || (previous?.sent_at && localDay(previous.sent_at) !== localDay(message.sent_at)));
  return (
    <div
      ref={ref}
      data-index={line.index}
      className="phone-line phone-message-line"
      style={{ transform: `translateY(${line.start}px)` }}
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
          showSender={isGroup && previous?.sender !== message.sender}
          isRequested={message.message_guid === search.at}
          isSelected={selection.has(message)}
          onToggle={() => selection.toggle(message)}
          labels={labels}
        />
      ) : (
        <Skeleton width="40%" height={32} />
      )}
    </div>
  );
}
