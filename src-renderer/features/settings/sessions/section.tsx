import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Session } from '../../../../src-shared/contract/sessions.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { now } from '../../../client/clock.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import { browserOf } from './browser.ts';

/** All sessions with device and address; each can be ended. */
export default function SessionsSection() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const navigate = useNavigate({ from: '/settings/sessions' });
  const { ended } = useSearch({ from: '/frame/settings/sessions' });
  const client = useQueryClient();
  const { show, showError } = useToasts();
  const { data, error, refetch } = useQuery({
    queryKey: [...cacheKeys.sessions, ended ?? ''],
    queryFn: ({ signal }) =>
      call(contract.sessions.list, { query: { include_revoked: ended ? 'true' : 'false' } }, signal),
  });
  const revoke = useMutation({
    mutationFn: (session: Session) => call(contract.sessions.revoke, { params: { session_id: session.session_id } }),
    onSuccess: (_, session) => {
      if (session.is_current) return location.assign('/login');
      show({ text: (words) => words.t('session_ended', { ns: 'settings', name: session.display_name }) });
      void client.invalidateQueries({ queryKey: cacheKeys.sessions });
    },
    onError: showError,
  });
  return (
    <Panel
      title={t('nav_sessions')}
      actions={
        <span className="push">
          <Checkbox
            label={t('with_ended')}
            checked={ended !== undefined}
            onChange={(event) =>
              void navigate({
                search: (search) => ({ ...search, ended: event.target.checked ? '1' : undefined }),
                replace: true,
              })
            }
          />
        </span>
      }
    >
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={4} label={t('loading')} />}
      {data?.items.length === 0 && <EmptyState title={t('sessions_empty')} />}
      <ul className="lines">
        {data?.items.map((session) => (
          <SessionLine
            key={session.session_id}
            session={session}
            busy={revoke.isPending}
            onRevoke={() => revoke.mutate(session)}
          />
        ))}
      </ul>
    </Panel>
  );
}

function SessionLine({ session, busy: isBusy, onRevoke }: { session: Session; busy: boolean; onRevoke: () => void }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const isOver = session.revoked_at !== null || Date.parse(`${session.expires_at}Z`) <= now();
  const expiryKey = isOver ? 'session_expired_at' : 'session_until';
  const when = session.revoked_at
    ? t('session_revoked_at', { when: formats.moment(session.revoked_at) })
    : t(expiryKey, { when: formats.moment(session.expires_at) });
  return (
    <li className="session-row" data-over={isOver || undefined}>
      <span className="truncate">
        <span className="strong">{session.display_name}</span> <span className="mono cap">{session.username}</span>
        {session.is_current && (
          <>
            {' '}
            <Tag tone="accent">{t('session_current')}</Tag>
          </>
        )}
      </span>
      <span className="truncate muted" title={session.user_agent}>
        {browserOf(session.user_agent) ?? t('unknown_program')} · <span className="num">{session.ip_address}</span>
      </span>
      <span className="cap num" title={formats.momentExact(session.last_active_at)}>
        {t('last_active', { when: formats.moment(session.last_active_at) })}
        <br />
        {when}
      </span>
      {isOver ? (
        <span />
      ) : (
        <Button
          size="small"
          disabled={isBusy}
          onClick={onRevoke}
          aria-label={t('session_end_of', {
            name: session.display_name,
            where: browserOf(session.user_agent) ?? session.ip_address,
          })}
        >
          {t('session_end')}
        </Button>
      )}
    </li>
  );
}
