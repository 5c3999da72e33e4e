import { FolderOpen, Lock, LockOpen } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Device } from './source/source.ts';
import type { PhoneLabels } from './labels.ts';

/** Problems that leave nothing to open. */
const HOPELESS: readonly string[] = ['missing', 'not_a_backup', 'no_keybag', 'unreadable'];

interface Props {
  device: Device;
  labels: PhoneLabels;
  isOpen: boolean;
  onOpen: () => void;
  /** In the desktop shell: opens it without the service. */
  onOpenHere?: () => void;
  onReveal?: () => void;
}

/** One backup: its device, its date, and whether it is open. */
export function DeviceCard({ device, labels, isOpen, onOpen, onOpenHere, onReveal }: Props) {
  const { t, formats } = labels;
  const name = device.name ?? t('unnamed');
  const actionIfClosed = device.isEncrypted ? 'unlock' : 'open';
  const action = isOpen ? 'browse' : actionIfClosed;
  const isHopeless = device.problems.some((problem) => HOPELESS.includes(problem));
  return (
    <article className="panel phone-card" aria-label={name}>
      <DeviceOutline model={device.model} />
      <div className="phone-card-labels">
        <h3 className="truncate" title={device.id}>
          {name}
        </h3>
        <span className="muted truncate">
          {[device.model, device.system && `iOS${'\u202f'}${device.system}`].filter(Boolean).join(' · ') || device.id}
        </span>
        <span className="cap num">
          {[
            device.backedUpAt ? labels.day(device.backedUpAt) : t('date_unknown'),
            device.bytes !== null && formats.bytes(device.bytes),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
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
      <Button
        className="phone-card-open"
        variant={isOpen ? 'primary' : 'plain'}
        disabled={isHopeless}
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
              disabled={isHopeless}
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

/** The outline of the device: a phone, or a tablet. */
export function DeviceOutline({ model }: { model: string | null }) {
  const isTablet = model?.startsWith('iPad') ?? false;
  const [width, height] = isTablet ? [54, 72] : [38, 76];
  return (
    <svg className="phone-outline" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <rect
        x="1"
        y="1"
        width={width - 2}
        height={height - 2}
        rx={isTablet ? 5 : 8}
        fill="var(--sunken)"
        stroke="var(--ink-3)"
        strokeWidth="1.4"
      />
      {isTablet ? (
        <circle cx={width / 2} cy="5" r="1" fill="var(--ink-3)" />
      ) : (
        <rect x={width / 2 - 5} y="5" width="10" height="3" rx="1.5" fill="var(--ink-3)" />
      )}
      <rect x={width / 2 - 6} y={height - 6} width="12" height="1.4" rx=".7" fill="var(--line-control)" />
    </svg>
  );
}
