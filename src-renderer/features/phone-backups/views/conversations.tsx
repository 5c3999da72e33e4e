import { ArrowLeft, Users } from 'lucide-react';
import { useState } from 'react';
import type { ChatRow, ConversationRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { ItemList } from '../item-list.tsx';
import { useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { Thread } from './thread.tsx';

/** The common fields of both kinds of conversations. */
export interface Talk {
  guid: string;
  name: string;
  service: string | null;
  lastAt: string | null;
  count: number;
  isGroup: boolean;
  people: string[];
}

const nameOf = (own: string | null, people: readonly { name: string | null; handle: string }[], guid: string): string =>
  own || people.map(({ name, handle }) => name ?? handle).join(', ') || guid;
const talkOfConversation = (row: ConversationRow): Talk => ({
  guid: row.conversation_guid,
  name: nameOf(row.display_name, row.participants, row.conversation_guid),
  service: row.service,
  lastAt: row.last_message_at,
  count: row.message_count,
  isGroup: row.is_group,
  people: row.participants.map(({ name, handle }) => name ?? handle),
});
const talkOfChat = (row: ChatRow): Talk => ({
  guid: row.chat_guid,
  name: nameOf(row.title, row.participants, row.chat_guid),
  service: null,
  lastAt: row.last_message_at,
  count: row.message_count,
  isGroup: row.is_group,
  people: row.participants.map(({ name, handle }) => name ?? handle),
});

/** Conversations of Messages. */
export function MessagesView(props: ViewProps) {
  const { search } = useSearchState();
  const rows = useRowsOf(props.source, 'conversations', { query: { q: search.filter } });
  return (
    <Conversations
      {...props}
      kind="messages"
      total={rows.total}
      error={rows.error}
      retry={rows.retry}
      show={rows.show}
      talkAt={(index) => {
        const row = rows.at(index);
        return row && talkOfConversation(row);
      }}
    />
  );
}

/** Chats of WhatsApp. */
export function WhatsAppView(props: ViewProps) {
  const { search } = useSearchState();
  const rows = useRowsOf(props.source, 'chats', { query: { q: search.filter } });
  return (
    <Conversations
      {...props}
      kind="whatsapp"
      total={rows.total}
      error={rows.error}
      retry={rows.retry}
      show={rows.show}
      talkAt={(index) => {
        const row = rows.at(index);
        return row && talkOfChat(row);
      }}
    />
  );
}

interface Props extends ViewProps {
  kind: 'messages' | 'whatsapp';
  total: number | undefined;
  error: unknown;
  retry: () => void;
  show: (first: number, last: number) => void;
  talkAt: (index: number) => Talk | undefined;
}

function Conversations({ source, labels, kind, total, error, retry, show, talkAt }: Props) {
  const { t, formats } = labels;
  const { search, set } = useSearchState();
  const [active, setActive] = useState(-1);
  const activeGuid = search.item ?? (total ? talkAt(Math.max(0, active))?.guid : undefined);
  const open = (index: number): void => {
    setActive(index);
    const talk = talkAt(index);
    if (talk) set({ item: talk.guid, at: undefined });
  };
  return (
    <div className="phone-panes" data-open={search.item !== undefined || undefined}>
      <div className="phone-pane-list">
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
        {error !== null && error !== undefined && (
          <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={retry} />
        )}
        {total === undefined && !error && <SkeletonLines count={10} label={t('loading')} />}
        {total === 0 && (
          <EmptyState title={search.filter ? t('no_match') : t('none_of', { what: t(`view.${kind}`) })}>
            {search.filter ? undefined : t('none_text')}
          </EmptyState>
        )}
        {total !== undefined && total > 0 && (
          <ItemList
            label={t(`view.${kind}`)}
            count={total}
            rowHeight={58}
            active={active}
            onShow={show}
            onActive={open}
          >
            {(index) => {
              const talk = talkAt(index);
              return (
                talk && (
                  <div className="phone-talk" data-chosen={talk.guid === activeGuid || undefined}>
                    <span className="row">
                      <strong className="truncate">{talk.name}</strong>
                      {talk.isGroup && <Icon glyph={Users} size={13} />}
                      <span className="cap num push" title={labels.exact(talk.lastAt)}>
                        {labels.day(talk.lastAt)}
                      </span>
                    </span>
                    <span className="cap truncate">
                      {[talk.service, t('messages_count', { count: talk.count, number: formats.count(talk.count) })]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
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
        {activeGuid === undefined ? (
          total !== 0 && <EmptyState title={t('choose_conversation')} />
        ) : (
          <Thread key={activeGuid} source={source} labels={labels} kind={kind} guid={activeGuid} />
        )}
      </div>
    </div>
  );
}
