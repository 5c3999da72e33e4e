import { Users } from 'lucide-react';
import { useState } from 'react';
import type { ChatRow, ConversationRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Icon } from '../../../ui/icon.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { PhoneLabels } from '../labels.ts';
import type { ConversationKind } from '../message-text.ts';
import { useRowsOf, type Rows } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { ListAndPage, RowList } from './list-and-page.tsx';
import { Thread } from './thread.tsx';
import type { ViewProps } from './view-props.ts';

/** The common fields of both kinds of conversations. */
interface Conversation {
  guid: string;
  name: string;
  service: string | null;
  lastAt: string | null;
  count: number;
  isGroup: boolean;
}

const nameOf = (own: string | null, people: readonly { name: string | null; handle: string }[], guid: string): string =>
  own || people.map(({ name, handle }) => name ?? handle).join(', ') || guid;
const fromMessages = (row: ConversationRow): Conversation => ({
  guid: row.conversation_guid,
  name: nameOf(row.display_name, row.participants, row.conversation_guid),
  service: row.service,
  lastAt: row.last_message_at,
  count: row.message_count,
  isGroup: row.is_group,
});
const fromWhatsApp = (row: ChatRow): Conversation => ({
  guid: row.chat_guid,
  name: nameOf(row.title, row.participants, row.chat_guid),
  service: null,
  lastAt: row.last_message_at,
  count: row.message_count,
  isGroup: row.is_group,
});
const mapRows = <T, U>(rows: Rows<T>, convert: (row: T) => U): Rows<U> => ({
  ...rows,
  at(index) {
    const row = rows.at(index);
    return row && convert(row);
  },
});

/** Conversations of Messages. */
export function MessagesView(props: ViewProps) {
  const { search } = useSearchState();
  const rows = useRowsOf(props.source, 'conversations', { query: { q: search.filter } });
  return <Conversations {...props} kind="messages" rows={mapRows(rows, fromMessages)} />;
}

/** Chats of WhatsApp. */
export function WhatsAppView(props: ViewProps) {
  const { search } = useSearchState();
  const rows = useRowsOf(props.source, 'chats', { query: { q: search.filter } });
  return <Conversations {...props} kind="whatsapp" rows={mapRows(rows, fromWhatsApp)} />;
}

interface Props extends ViewProps {
  kind: ConversationKind;
  rows: Rows<Conversation>;
}

function Conversations({ source, labels, kind, rows }: Props) {
  const { t } = labels;
  const { search, set } = useSearchState();
  const { total } = rows;
  const [active, setActive] = useState(-1);
  const activeGuid = search.item ?? (total ? rows.at(Math.max(0, active))?.guid : undefined);
  const open = (index: number): void => {
    setActive(index);
    const conversation = rows.at(index);
    if (conversation) set({ item: conversation.guid, at: undefined });
  };
  const list = (
    <>
      <Toolbar
        title={t(`view.${kind}`)}
        count={total}
        source={source}
        labels={labels}
        filter={{
          value: search.filter ?? '',
          label: t('filter_people'),
          onChange: (text) => set({ filter: text || undefined }),
        }}
      />
      <RowList
        rows={rows}
        label={t(`view.${kind}`)}
        rowHeight={58}
        active={active}
        onActive={open}
        empty={
          search.filter
            ? { title: t('no_match') }
            : { title: t('none_of', { what: t(`view.${kind}`) }), text: t('none_text') }
        }
        labels={labels}
      >
        {(row) => <ConversationItem conversation={row} isOpen={row.guid === activeGuid} labels={labels} />}
      </RowList>
    </>
  );
  return (
    <ListAndPage list={list} labels={labels}>
      {activeGuid === undefined ? (
        total !== 0 && <EmptyState title={t('choose_conversation')} />
      ) : (
        <Thread key={activeGuid} source={source} labels={labels} kind={kind} guid={activeGuid} />
      )}
    </ListAndPage>
  );
}

interface ItemProps {
  conversation: Conversation;
  isOpen: boolean;
  labels: PhoneLabels;
}

function ConversationItem({ conversation, isOpen, labels }: ItemProps) {
  const { t, formats } = labels;
  const { name, isGroup, lastAt, service, count } = conversation;
  return (
    <div className="phone-item" data-selected={isOpen || undefined}>
      <span className="row">
        <strong className="truncate">{name}</strong>
        {isGroup && <Icon glyph={Users} size={13} />}
        <span className="cap num push" title={labels.exact(lastAt)}>
          {labels.day(lastAt)}
        </span>
      </span>
      <span className="cap truncate">
        {[service, t('messages_count', { count, number: formats.count(count) })].filter(Boolean).join(' · ')}
      </span>
    </div>
  );
}
