import { FolderOpen, Lock, LockOpen } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { DeviceOutline } from './device-outline.tsx';
import type { PhoneLabels } from './labels.ts';
import type { Device } from './source/source.ts';

/** Problems of backups that can't be opened. */
const FATAL_PROBLEMS: readonly string[] = ['missing', 'not_a_backup', 'no_keybag', 'unreadable', 'too_demanding'];

interface Props {
  device: Device;
  labels: PhoneLabels;
  isOpen: boolean;
  onOpen: () => void;
  /** Opens the backup in the desktop shell, without the service. */
  onOpenHere?: () => void;
  onReveal?: () => void;
}

/** One backup: its device, date and problems, and whether it is open. */
export function DeviceCard({ device, labels, isOpen, onOpen, onOpenHere, onReveal }: Props) {
  const { t } = labels;
  const name = device.name ?? t('unnamed');
  const actionIfClosed = device.isEncrypted ? 'unlock' : 'open';
  const action = isOpen ? 'browse' : actionIfClosed;
  const canOpen = !device.problems.some((problem) => FATAL_PROBLEMS.includes(problem));
  return (
    <article className="panel phone-card" aria-label={name}>
      <DeviceOutline model={device.model} />
      <CardText device={device} name={name} isOpen={isOpen} labels={labels} />
      <Button
        className="phone-card-open"
        variant={isOpen ? 'primary' : 'plain'}
        disabled={!canOpen}
        onClick={onOpen}
        aria-label={t(`${action}_of`, { name })}
      >
        <Icon glyph={isOpen || !device.isEncrypted ? LockOpen : Lock} />
        {t(action)}
      </Button>
      {(onOpenHere || onReveal) && (
        <div className="phone-card-more row">
          {onReveal && (
            <IconButton glyph={FolderOpen} size="small" label={t('reveal_of', { name })} onClick={onReveal} />
          )}
          {onOpenHere && !isOpen && (
            <Button
              variant="quiet"
              size="small"
              disabled={!canOpen}
              onClick={onOpenHere}
              aria-label={t('here_of', { name })}
            >
              {t('here')}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

function CardText({ device, name, isOpen, labels }: Pick<Props, 'device' | 'isOpen' | 'labels'> & { name: string }) {
  const { t, formats } = labels;
  const { id, model, system, backedUpAt, bytes } = device;
  const date = backedUpAt ? labels.day(backedUpAt) : t('date_unknown');
  return (
    <div className="phone-card-words">
      <h3 className="truncate" title={id}>
        {name}
      </h3>
      <span className="muted truncate">
        {[model, system && t('ios', { version: system })].filter(Boolean).join(' · ') || id}
      </span>
      <span className="cap num">{[date, bytes !== null && formats.bytes(bytes)].filter(Boolean).join(' · ')}</span>
      <span className="row phone-card-tags">
        {isOpen ? (
          <Tag tone="ok">{t('open_now')}</Tag>
        ) : (
          <Tag>{device.isEncrypted ? t('encrypted') : t('not_encrypted')}</Tag>
        )}
        {device.problems.map((problem) => (
          <Tag key={problem} tone="warn" title={labels.problemHelp(problem)}>
            {labels.problem(problem)}
          </Tag>
        ))}
      </span>
    </div>
  );
}
