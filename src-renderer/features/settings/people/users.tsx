import { Pencil, Trash2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../src-shared/contract/users.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useMe } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { useMatrix, useUserActions } from './queries.ts';
import { UserForm } from './user-form.tsx';

/** The accounts. */
export function UsersPanel() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const [open, setOpen] = useState<number | 'new' | null>(null);
  const [userToRemove, setUserToRemove] = useState<User | null>(null);
  const { data, error, refetch } = useMatrix();
  const me = useMe();
  const { save, remove } = useUserActions(() => setOpen(null));
  const form = (user: User | null) => (
    <UserForm
      user={user}
      isMe={user !== null && user.id === me?.id}
      isBusy={save.isPending}
      failure={save.error}
      onCancel={() => {
        save.reset();
        setOpen(null);
      }}
      onSave={(draft) => save.mutate({ user, draft })}
    />
  );
  return (
    <Panel
      title={t('users')}
      actions={
        open === null ? (
          <Button className="push" size="small" glyph={UserPlus} onClick={() => setOpen('new')}>
            {t('user_add')}
          </Button>
        ) : undefined
      }
    >
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={3} label={t('loading')} />}
      <ul className="lines">
        {open === 'new' && <li>{form(null)}</li>}
        {data?.users.map((user) =>
          open === user.id ? (
            <li key={user.id}>{form(user)}</li>
          ) : (
            <UserLine
              key={user.id}
              user={user}
              onEdit={() => setOpen(user.id)}
              onRemove={() => setUserToRemove(user)}
            />
          ),
        )}
      </ul>
      <RemoveDialog
        user={userToRemove}
        onClose={() => setUserToRemove(null)}
        onConfirm={(user) => {
          remove.mutate(user);
          setUserToRemove(null);
        }}
      />
    </Panel>
  );
}

function RemoveDialog({
  user,
  onClose,
  onConfirm,
}: {
  user: User | null;
  onClose: () => void;
  onConfirm: (user: User) => void;
}) {
  const { t } = useTranslation('settings');
  return (
    <Dialog
      open={user !== null}
      onOpenChange={onClose}
      title={t('user_remove_title', { name: user?.display_name ?? '' })}
    >
      <p>{t('user_remove_text')}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="danger" onClick={() => user && onConfirm(user)}>
          {t('user_remove')}
        </Button>
      </div>
    </Dialog>
  );
}

function UserLine({ user, onEdit, onRemove }: { user: User; onEdit: () => void; onRemove: () => void }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const isMe = useMe()?.id === user.id;
  const name = user.display_name;
  return (
    <li className="user-row">
      <span className="truncate">
        <span className="strong">{name}</span> <span className="mono cap">{user.username}</span>
      </span>
      <span className="row">
        <Tag tone={user.role === 'admin' ? 'accent' : 'plain'}>{t(`role_${user.role}`)}</Tag>
        {user.has_oidc && <Tag>{t('by_service')}</Tag>}
        {isMe && <Tag>{t('you')}</Tag>}
      </span>
      <span className="cap num">
        {user.last_active_at ? t('last_active', { when: formats.moment(user.last_active_at) }) : t('never_active')}
      </span>
      <span className="row">
        <IconButton size="small" glyph={Pencil} label={t('user_edit', { name })} onClick={onEdit} />
        {!isMe && <IconButton size="small" glyph={Trash2} label={t('user_remove_of', { name })} onClick={onRemove} />}
      </span>
    </li>
  );
}
