import { CircleCheck, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { DeviceLine } from '../../../src-shared/ticker/device/line.ts';
import { joinNetwork, scanNetworks, type SeenNetwork } from '../../../src-shared/ticker/device/provision.ts';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { Notice, SkeletonLines } from '../../ui/states.tsx';
import { Failure } from './failure.tsx';
import { referenceOf } from './use-line.ts';

type Phase = 'scan' | 'join' | null;

/** The step after writing: the device scans from where it stands, and joins what the user selects. */
export function WifiStep({ line, onContinue }: { line: DeviceLine; onContinue: () => void }) {
  const { t } = useTranslation('tickers');
  const [networks, setNetworks] = useState<readonly SeenNetwork[]>([]);
  const [chosen, setChosen] = useState('');
  const [password, setPassword] = useState('');
  const [phase, setPhase] = useState<Phase>('scan');
  const [failure, setFailure] = useState<ErrorReference | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  const run = async (kind: Phase, act: () => Promise<void>): Promise<void> => {
    setPhase(kind);
    setFailure(null);
    await act().catch((error: unknown) => setFailure(referenceOf(error)));
    setPhase(null);
  };
  const scan = (): Promise<void> => run('scan', async () => setNetworks(await scanNetworks(line)));
  // The first scan begins by itself.
  useEffect(() => {
    scanNetworks(line)
      .then(setNetworks, (error: unknown) => setFailure(referenceOf(error)))
      .finally(() => setPhase(null));
  }, [line]);
  const join = (): Promise<void> => run('join', async () => setAddress(await joinNetwork(line, chosen, password)));
  return (
    <>
      <header>
        <h2>{t('wifi_title')}</h2>
        <p className="muted">{t('wifi_text')}</p>
      </header>
      {failure && <Failure failure={failure} />}
      <div role="status">
        {address !== null && (
          <Notice tone="ok" glyph={CircleCheck}>
            {t('wifi_joined', { name: chosen, address })}
          </Notice>
        )}
        {phase === 'join' && t('wifi_joining', { name: chosen })}
      </div>
      {phase === 'scan' ? (
        <SkeletonLines count={3} label={t('wifi_scanning')} />
      ) : (
        <Networks networks={networks} chosen={chosen} onChoose={setChosen} />
      )}
      <form
        id="ticker-join"
        className="ticker-form"
        onSubmit={(event) => {
          event.preventDefault();
          void join();
        }}
      >
        <Field label={t('wifi_name')} hint={t('wifi_hidden')}>
          {(control) => (
            <Input {...control} value={chosen} maxLength={32} onChange={({ target }) => setChosen(target.value)} />
          )}
        </Field>
        <Field label={t('wifi_password')} hint={t('wifi_password_hint')}>
          {(control) => (
            <SecretInput
              {...control}
              labels={{ show: t('show_password'), hide: t('hide_password') }}
              value={password}
              maxLength={64}
              autoComplete="off"
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
      </form>
      <div className="ticker-foot">
        <Button glyph={RotateCw} disabled={phase !== null} onClick={() => void scan()}>
          {t('wifi_again')}
        </Button>
        <span className="push row">
          {address === null && (
            <Button variant="quiet" onClick={onContinue}>
              {t('wifi_later')}
            </Button>
          )}
          {address === null ? (
            <Button
              variant="primary"
              size="large"
              type="submit"
              form="ticker-join"
              disabled={chosen === '' || phase !== null}
            >
              {t('wifi_join')}
            </Button>
          ) : (
            <Button variant="primary" size="large" onClick={onContinue}>
              {t('continue')}
            </Button>
          )}
        </span>
      </div>
    </>
  );
}

function Networks({
  networks,
  chosen,
  onChoose,
}: {
  networks: readonly SeenNetwork[];
  chosen: string;
  onChoose: (name: string) => void;
}) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  if (networks.length === 0) return <p className="muted">{t('wifi_none')}</p>;
  return (
    <fieldset className="panel lines ticker-networks">
      <legend className="sr-only">{t('wifi_networks')}</legend>
      {networks.map(({ name, rssi, secured }) => (
        <label key={name}>
          <input type="radio" name="network" checked={chosen === name} onChange={() => onChoose(name)} />
          <span className="truncate">{name}</span>
          <span className="cap num">{t('wifi_signal', { dbm: formats.count(rssi) })}</span>
          <span className="cap">{t(secured ? 'wifi_secured' : 'wifi_open')}</span>
        </label>
      ))}
    </fieldset>
  );
}
