import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Backup, BackupOverview } from '../../../src-shared/contract/vault-backups.ts';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem, MenuRule } from '../../ui/menu.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useToasts } from '../../client/toasts.tsx';
import type { Message } from '../../client/words.ts';
import { useBackupAction } from './queries.ts';

/** An action that can lose data and needs a confirmation. */
interface Confirmation {
  action: 'restore' | 'remove';
  backup: Backup;
}

/** Says what a confirmed action does. */
const confirmationOf =
  (action: Confirmation['action'], backup: Backup): Message =>
  ({ t, formats }) =>
    action === 'restore'
      ? t('restoring', { ns: 'vault_backups' })
      : t('removed', { ns: 'vault_backups', when: formats.moment(backup.started_at) });

/** All backups with their state. Actions that can lose data ask for confirmation. */
export function BackupList({ overview: { items, running } }: { overview: BackupOverview }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  const { show, showError } = useToasts();
  const act = useBackupAction(showError);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const when = (backup: Backup): string => formats.moment(backup.started_at);
  const confirm = ({ action, backup }: Confirmation): void => {
    setConfirmation(null);
    act.mutate({ do: action, id: backup.id }, { onSuccess: () => show({ text: confirmationOf(action, backup) }) });
  };
  return (
    <Panel title={t('list')} aside={items.length > 0 ? t('list_count', { count: items.length }) : undefined}>
      {items.length === 0 && <EmptyState title={t('none')}>{t('none_text')}</EmptyState>}
      <ul className="lines">
        {items.map((backup) => (
          <li key={backup.id} className="backup-row">
            <span className="truncate">
              <span className="strong num" title={formats.momentExact(backup.started_at)}>
                {when(backup)}
              </span>{' '}
              <span className="cap">{t(backup.scheduled ? 'by_plan' : 'by_hand')}</span>
            </span>
            <span className="cap num truncate">
              {backup.status === 'done' &&
                backup.files > 0 &&
                `${t('files', { count: backup.files })} · ${formats.bytes(backup.size)}`}
            </span>
            <StateTag backup={backup} />
            <BackupMenu
              backup={backup}
              when={when(backup)}
              disabled={running !== null || act.isPending}
              onRun={(task) => act.mutate({ do: task, id: backup.id })}
              onAsk={(action) => setConfirmation({ action, backup })}
            />
          </li>
        ))}
      </ul>
      {confirmation && (
        <ConfirmDialog
          {...confirmation}
          when={when(confirmation.backup)}
          onConfirm={() => confirm(confirmation)}
          onClose={() => setConfirmation(null)}
        />
      )}
    </Panel>
  );
}

function BackupMenu({
  backup,
  when,
  disabled,
  onRun,
  onAsk,
}: {
  backup: Backup;
  when: string;
  disabled: boolean;
  onRun: (task: 'verify' | 'drill') => void;
  onAsk: (action: Confirmation['action']) => void;
}) {
  const { t } = useTranslation('vault_backups');
  return (
    <Menu trigger={<IconButton glyph={Ellipsis} size="small" label={t('actions', { when })} disabled={disabled} />}>
      <MenuItem disabled={!backup.present} onSelect={() => onRun('verify')}>
        {t('verify')}
      </MenuItem>
      <MenuItem disabled={!backup.present} onSelect={() => onRun('drill')}>
        {t('drill')}
      </MenuItem>
      <MenuItem disabled={!backup.present} onSelect={() => onAsk('restore')}>
        {t('restore')}
      </MenuItem>
      <MenuRule />
      <MenuItem isDangerous onSelect={() => onAsk('remove')}>
        {t('remove')}
      </MenuItem>
    </Menu>
  );
}

function ConfirmDialog({
  action,
  when,
  onConfirm,
  onClose,
}: Confirmation & { when: string; onConfirm: () => void; onClose: () => void }) {
  const { t } = useTranslation('vault_backups');
  return (
    <Dialog open onOpenChange={onClose} title={t(`${action}_title`, { when })}>
      <div className="stack">
        <p>{t(`${action}_text`)}</p>
        <div className="row">
          <Button variant={action === 'remove' ? 'danger' : 'primary'} onClick={onConfirm}>
            {t(`${action}_do`)}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </div>
      </div>
    </Dialog>
  );
}

function StateTag({ backup: { status, error_code: errorCode, verified_at: verifiedAt, present } }: { backup: Backup }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  if (status === 'running') return <Tag>{t('running')}</Tag>;
  if (errorCode === 'backup.damaged') return <Tag tone="bad">{t('damaged')}</Tag>;
  if (status === 'failed') return <Tag tone="bad">{t('failed')}</Tag>;
  if (!present) return <Tag tone="warn">{t('gone')}</Tag>;
  return verifiedAt ? (
    <Tag tone="ok">{t('verified', { when: formats.moment(verifiedAt) })}</Tag>
  ) : (
    <Tag tone="warn">{t('unverified')}</Tag>
  );
}
