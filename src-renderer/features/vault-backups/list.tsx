import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Backup, BackupOverview } from '../../../src-shared/contract/vault-backups.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem, MenuRule } from '../../ui/menu.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useBackupAct } from './queries.ts';

type Confirmation = { what: 'restore' | 'remove'; backup: Backup } | null;

/** Every backup with how it stands; what can be lost is asked for first. */
export function BackupList({ overview: { items, running } }: { overview: BackupOverview }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const { show } = useToasts();
  const act = useBackupAct((error) => show({ text: vocabulary.error(error), tone: 'bad' }));
  const [confirmation, setConfirmation] = useState<Confirmation>(null);
  const when = (backup: Backup): string => formats.moment(backup.started_at);
  const confirm = ({ what, backup }: NonNullable<Confirmation>): void => {
    setConfirmation(null);
    act.mutate(
      { do: what, id: backup.id },
      { onSuccess: () => show({ text: what === 'restore' ? t('restoring') : t('removed', { when: when(backup) }) }) },
    );
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
            <Menu
              trigger={
                <IconButton
                  glyph={Ellipsis}
                  size="small"
                  label={t('actions', { when: when(backup) })}
                  disabled={running !== null || act.isPending}
                />
              }
            >
              <MenuItem disabled={!backup.present} onSelect={() => act.mutate({ do: 'verify', id: backup.id })}>
                {t('verify')}
              </MenuItem>
              <MenuItem disabled={!backup.present} onSelect={() => act.mutate({ do: 'drill', id: backup.id })}>
                {t('drill')}
              </MenuItem>
              <MenuItem disabled={!backup.present} onSelect={() => setConfirmation({ what: 'restore', backup })}>
                {t('restore')}
              </MenuItem>
              <MenuRule />
              <MenuItem danger onSelect={() => setConfirmation({ what: 'remove', backup })}>
                {t('remove')}
              </MenuItem>
            </Menu>
          </li>
        ))}
      </ul>
      {confirmation && (
        <Dialog
          open
          onOpenChange={() => setConfirmation(null)}
          title={t(`${confirmation.what}_title`, { when: when(confirmation.backup) })}
        >
          <div className="stack">
            <p>{t(`${confirmation.what}_text`)}</p>
            <div className="row">
              <Button
                variant={confirmation.what === 'remove' ? 'danger' : 'primary'}
                onClick={() => confirm(confirmation)}
              >
                {t(`${confirmation.what}_do`)}
              </Button>
              <Button onClick={() => setConfirmation(null)}>{t('cancel')}</Button>
            </div>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

function StateTag({ backup: { status, error_code: failed, verified_at: verified, present } }: { backup: Backup }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  if (status === 'running') return <Tag>{t('running')}</Tag>;
  if (failed === 'backup.damaged') return <Tag tone="bad">{t('damaged')}</Tag>;
  if (status === 'failed') return <Tag tone="bad">{t('failed')}</Tag>;
  if (!present) return <Tag tone="warn">{t('gone')}</Tag>;
  return verified ? (
    <Tag tone="ok">{t('verified', { when: formats.moment(verified) })}</Tag>
  ) : (
    <Tag tone="warn">{t('unverified')}</Tag>
  );
}
