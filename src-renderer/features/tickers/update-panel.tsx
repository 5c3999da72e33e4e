import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import { type DeviceStatus, deviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import {
  findSigner,
  fingerprintOf,
  judgeUpdate,
  readKeys,
  readUpdate,
  type UpdateFile,
  type UpdateVerdict,
} from '../../../src-shared/ticker/update/update-file.ts';
import { call, contract } from '../../client/api.ts';
import { readPreference, storePreference } from '../../client/storage.ts';
import { useToasts } from '../../client/toasts.tsx';
import { sendForm } from '../../client/upload.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, TextArea } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { Failure } from './failure.tsx';
import { type NetworkDevice, referenceOf } from './network-device.ts';

const KEYS = 'ticker-update-keys';
const MAX_FILE_BYTES = 8 * 1024 * 1024;

interface Chosen {
  file: File;
  update: UpdateFile;
  signer: string | null;
}

/** The chosen file and its way to the device. */
function useUpdate(device: NetworkDevice) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [failure, setFailure] = useState<ErrorReference | null>(null);
  const [isInstalling, setInstalling] = useState(false);
  const [done, setDone] = useState<{ version: string; restored: readonly string[] } | null>(null);
  return {
    ...{ chosen, failure, isInstalling, done },
    async select(file: File, keys: readonly string[]): Promise<void> {
      setFailure(null);
      setDone(null);
      setChosen(null);
      try {
        const bytes = new Uint8Array(file.size > MAX_FILE_BYTES ? new ArrayBuffer(0) : await file.arrayBuffer());
        const update = readUpdate(file.name, bytes);
        setChosen({ file, update, signer: await findSigner(update, keys) });
      } catch (error) {
        if (error instanceof TickerError) setFailure(error.reference);
        else throw error;
      }
    },
    async install({ file }: Chosen, code: string): Promise<void> {
      setInstalling(true);
      setFailure(null);
      try {
        const { updateDevice } = contract.tickers;
        const reply = await sendForm<Reply<typeof updateDevice>>(updateDevice.path, { file, ...device, code });
        setDone({ version: deviceStatus.parse(reply.status).version, restored: reply.restored });
        setChosen(null);
      } catch (error) {
        setFailure(referenceOf(error));
      }
      setInstalling(false);
    },
  };
}

/** Updates the firmware of a device: says who signed it, and refuses or asks as the device does. */
export function UpdatePanel({ device, status }: { device: NetworkDevice; status: DeviceStatus }) {
  const { t } = useTranslation('tickers');
  const [keys, setKeys] = useState(() => readPreference(KEYS) ?? '');
  const [code, setCode] = useState('');
  const update = useUpdate(device);
  const { chosen, failure, isInstalling, done } = update;
  const verdict = chosen && judgeUpdate(chosen.update, status);
  const needsCode = verdict === 'older' || failure?.code === 'ticker.presence_needed';
  return (
    <Panel title={t('update_title')} aside={status.version}>
      <div className="panel-body stack">
        <FileButton isDisabled={isInstalling} onSelect={(file) => void update.select(file, readKeys(keys))} />
        {failure && <Failure failure={failure} />}
        {chosen && <Origin chosen={chosen} verdict={verdict} />}
        {chosen && needsCode && <CodeField device={device} code={code} onChange={setCode} />}
        {chosen && (verdict === 'fits' || verdict === 'older') && (
          <span>
            <Button
              variant="primary"
              disabled={isInstalling || (needsCode && code.length !== 6)}
              onClick={() => void update.install(chosen, code)}
            >
              {t(isInstalling ? 'update_installing' : 'update_install')}
            </Button>
          </span>
        )}
        <div role="status">
          {done && <Notice tone="ok">{t('update_done', { version: done.version })}</Notice>}
          {done && done.restored.length > 0 && t('update_restored', { paths: done.restored.join(', ') })}
        </div>
        <Field label={t('update_keys')} hint={t('update_keys_hint')}>
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              value={keys}
              onChange={({ target }) => {
                setKeys(target.value);
                storePreference(KEYS, target.value);
              }}
            />
          )}
        </Field>
      </div>
    </Panel>
  );
}

function FileButton({ isDisabled, onSelect }: { isDisabled: boolean; onSelect: (file: File) => void }) {
  const { t } = useTranslation('tickers');
  const input = useRef<HTMLInputElement>(null);
  return (
    <span>
      <Button glyph={FileUp} disabled={isDisabled} onClick={() => input.current?.click()}>
        {t('update_choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".update"
        hidden
        aria-label={t('update_choose')}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onSelect(file);
          target.value = '';
        }}
      />
    </span>
  );
}

/** The proof that somebody is at the device: it shows the code on its screen. */
function CodeField({
  device,
  code,
  onChange,
}: {
  device: NetworkDevice;
  code: string;
  onChange: (code: string) => void;
}) {
  const { t } = useTranslation('tickers');
  const { showError } = useToasts();
  const showCode = (): void =>
    void call(contract.tickers.actDevice, { body: { ...device, action: 'presence' } }).catch(showError);
  return (
    <span className="row">
      <Field label={t('update_code')}>
        {(control) => (
          <Input
            {...control}
            value={code}
            maxLength={6}
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <Button onClick={showCode}>{t('update_show_code')}</Button>
    </span>
  );
}

function Origin({ chosen: { update, signer }, verdict }: { chosen: Chosen; verdict: UpdateVerdict | null }) {
  const { t } = useTranslation('tickers');
  const { version, board, signature } = update;
  return (
    <div className="stack">
      <span className="strong">{t('update_made', { version, board })}</span>
      {signer !== null && <Notice tone="ok">{t('update_signed', { fingerprint: fingerprintOf(signer) })}</Notice>}
      {signer === null && signature !== null && <Notice tone="warn">{t('update_unknown')}</Notice>}
      {signature === null && <Notice tone="warn">{t('update_unsigned')}</Notice>}
      {verdict === 'other_chip' && <Notice tone="bad">{t('update_other_chip')}</Notice>}
      {verdict === 'other_board' && <Notice tone="bad">{t('update_other_board', { board })}</Notice>}
      {verdict === 'older' && <Notice tone="warn">{t('update_older')}</Notice>}
    </div>
  );
}
