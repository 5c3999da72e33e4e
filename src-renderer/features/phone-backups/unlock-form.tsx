import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type Ref } from 'react';
import { useSample } from '../../client/sample.ts';
import { Button } from '../../ui/button.tsx';
import { Meter } from '../../ui/dots.tsx';
import { Field } from '../../ui/field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { useAnnounce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/states.tsx';
import { DeviceOutline } from './device-outline.tsx';
import type { PhoneLabels } from './labels.ts';
import { useOpenBackups, type LockReason } from './source/open-backups.ts';
import type { Device } from './source/source.ts';
import { useKeyTime } from './use-key-time.ts';
import type { UnlockProgress } from './worker/ios-backup/protocol.ts';

interface Props {
  device: Device;
  from: 'service' | 'direct';
  lockedBy: LockReason | null;
  labels: PhoneLabels;
}

/** Unlocks the backup with a password: its progress, and the failure of the last attempt. */
function useUnlock(device: Device, from: 'service' | 'direct') {
  const { backups } = useOpenBackups();
  const client = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const [progress, setProgress] = useState<UnlockProgress | null>(null);
  const unlock = async (password: string): Promise<void> => {
    setFailure(null);
    setProgress({ step: device.isEncrypted ? 'keys' : 'manifest', rows: 0 });
    try {
      await (from === 'direct'
        ? backups.unlockDirect(device, password, client, setProgress)
        : backups.unlockService(device, password, client));
    } catch (error) {
      setFailure(error);
      setProgress(null);
    }
  };
  return { progress, failure, unlock };
}

/** Asks for the backup password and shows the progress: by design of the format, deriving the keys takes seconds. */
export function UnlockForm({ device, from, lockedBy, labels }: Props) {
  const { t } = labels;
  const { progress, failure, unlock } = useUnlock(device, from);
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const isWorking = progress !== null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWorking) void unlock(password);
  };
  useEffect(() => {
    if (failure !== null) input.current?.select();
  }, [failure]);
  return (
    <form className="panel phone-unlock" onSubmit={submit}>
      <DeviceHead device={device} labels={labels} />
      {lockedBy && !isWorking && <Notice tone="warn">{t(`locked_${lockedBy}`)}</Notice>}
      {device.isEncrypted ? (
        <PasswordField
          ref={input}
          value={password}
          onChange={setPassword}
          isReadOnly={isWorking}
          error={failure === null ? undefined : labels.error(failure)}
          labels={labels}
        />
      ) : (
        <>
          <Notice tone="warn">{t('no_health')}</Notice>
          {failure !== null && <Notice tone="bad">{labels.error(failure)}</Notice>}
        </>
      )}
      <UnlockMeter progress={progress} labels={labels} />
      <div className="row">
        <Button type="submit" variant="primary" disabled={isWorking || (device.isEncrypted && password === '')}>
          {device.isEncrypted ? t('unlock') : t('open')}
        </Button>
        <span className="cap">{from === 'direct' ? t('direct_text') : t('service_text')}</span>
      </div>
    </form>
  );
}

function DeviceHead({ device, labels }: Pick<Props, 'device' | 'labels'>) {
  const { name, model, system, backedUpAt } = device;
  return (
    <div className="row phone-unlock-head">
      <DeviceOutline model={model} />
      <div className="phone-card-words">
        <h1>{name ?? labels.t('unnamed')}</h1>
        <span className="muted">
          {[model, system && labels.t('ios', { version: system }), labels.day(backedUpAt)].filter(Boolean).join(' · ')}
        </span>
      </div>
    </div>
  );
}

interface PasswordFieldProps {
  ref: Ref<HTMLInputElement>;
  value: string;
  onChange: (password: string) => void;
  isReadOnly: boolean;
  error: string | undefined;
  labels: PhoneLabels;
}

function PasswordField({ ref, value, onChange, isReadOnly, error, labels: { t } }: PasswordFieldProps) {
  const passphrase = useSample()?.open?.phone_passphrase ?? null;
  return (
    <Field
      label={t('backup_password')}
      hint={passphrase === null ? t('backup_password_hint') : t('sample_passphrase', { passphrase })}
      error={error}
    >
      {(control) => (
        <SecretInput
          {...control}
          ref={ref}
          labels={{ show: t('show_password'), hide: t('hide_password') }}
          autoFocus
          autoComplete="off"
          value={value}
          readOnly={isReadOnly}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Shows the progress of unlocking and announces each of its steps. */
function UnlockMeter({ progress, labels }: { progress: UnlockProgress | null; labels: PhoneLabels }) {
  const { t, formats } = labels;
  const announce = useAnnounce();
  const step = progress?.step;
  const { share, seconds } = useKeyTime(step === 'keys');
  useEffect(() => {
    if (step === undefined) announce('');
    else announce(step === 'keys' ? t('deriving_spoken') : t('reading_spoken'));
  }, [announce, step, t]);
  if (progress === null) return null;
  const text =
    progress.step === 'keys'
      ? t('deriving', { seconds: formats.number(seconds) })
      : t('reading_manifest', { count: progress.rows, rows: formats.count(progress.rows) });
  return (
    <div className="stack phone-progress">
      <Meter share={progress.step === 'keys' ? share : 1} label={text} />
      <span className="cap num">{text}</span>
    </div>
  );
}
