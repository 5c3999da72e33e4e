import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Meter } from '../../ui/dots.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useAnnounce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/states.tsx';
import { DeviceOutline } from './device-card.tsx';
import { useOpenBackups, type LockReason } from './source/open-backups.ts';
import type { UnlockProgress } from './worker/ios-backup/protocol.ts';
import type { Device } from './source/source.ts';
import { useKeyTime } from './use-key-time.ts';
import type { PhoneLabels } from './labels.ts';

/** Asks for the passphrase and shows the progress: deriving the keys takes seconds by design of the backup format. */
export function UnlockForm({
  device,
  from,
  lockedBy,
  labels,
}: {
  device: Device;
  from: 'service' | 'direct';
  lockedBy: LockReason | null;
  labels: PhoneLabels;
}) {
  const { t, formats } = labels;
  const { backups } = useOpenBackups();
  const client = useQueryClient();
  const announce = useAnnounce();
  const [passphrase, setPassphrase] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [progress, setProgress] = useState<UnlockProgress | null>(null);
  const { share, seconds } = useKeyTime(progress?.step === 'keys');
  const input = useRef<HTMLInputElement>(null);
  const isWorking = progress !== null;
  const unlock = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (isWorking) return;
    setFailure(null);
    setProgress({ step: device.isEncrypted ? 'keys' : 'manifest', rows: 0 });
    try {
      await (from === 'direct'
        ? backups.unlockDirect(device, passphrase, client, setProgress)
        : backups.unlockService(device, passphrase, client));
      setPassphrase('');
    } catch (error) {
      setFailure(error);
      setProgress(null);
    }
  };
  useEffect(() => {
    if (failure !== null) input.current?.select();
  }, [failure]);
  const progressText = (): string => {
    if (progress === null) return '';
    return progress.step === 'keys'
      ? t('deriving', { seconds: formats.number(seconds) })
      : t('reading_manifest', { count: progress.rows, rows: formats.count(progress.rows) });
  };
  const text = progressText();
  const step = progress?.step;
  useEffect(() => {
    if (step === undefined) announce('');
    else announce(step === 'keys' ? t('deriving_spoken') : t('reading_spoken'));
  }, [announce, step, t]);
  return (
    <form className="panel phone-unlock" onSubmit={(event) => void unlock(event)}>
      <div className="row phone-unlock-head">
        <DeviceOutline model={device.model} />
        <div className="phone-card-labels">
          <h1>{device.name ?? t('unnamed')}</h1>
          <span className="muted">
            {[device.model, device.system && `iOS${'\u202f'}${device.system}`, labels.day(device.backedUpAt)]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
      </div>
      {lockedBy && !isWorking && <Notice tone="warn">{t(`locked_${lockedBy}`)}</Notice>}
      {device.isEncrypted ? (
        <Field
          label={t('passphrase')}
          hint={t('passphrase_hint')}
          error={failure === null ? undefined : labels.error(failure)}
        >
          {(control) => (
            <Input
              {...control}
              ref={input}
              type="password"
              autoFocus
              autoComplete="off"
              value={passphrase}
              readOnly={isWorking}
              onChange={(event) => setPassphrase(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <>
          <Notice tone="warn">{t('no_health')}</Notice>
          {failure !== null && <Notice tone="bad">{labels.error(failure)}</Notice>}
        </>
      )}
      {isWorking && (
        <div className="stack phone-progress">
          <Meter share={progress.step === 'keys' ? share : 1} label={text} />
          <span className="cap num">{text}</span>
        </div>
      )}
      <div className="row">
        <Button type="submit" variant="primary" disabled={isWorking || (device.isEncrypted && passphrase === '')}>
          {device.isEncrypted ? t('unlock') : t('open')}
        </Button>
        <span className="cap">{from === 'direct' ? t('direct_text') : t('service_text')}</span>
      </div>
    </form>
  );
}
