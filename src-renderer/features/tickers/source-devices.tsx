import { Copy, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import type { SourceDevice, SourceView } from '../../../src-shared/contract/ticker-source.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { copyText } from '../../client/copy-text.ts';
import { useFormats } from '../../client/format.ts';
import { useToasts } from '../../client/toasts.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import type { ApplyChange } from './use-source.ts';

/** The devices that may fetch prices, each with a token of its own in its address. */
export function SourceDevices({ view, apply }: { view: SourceView; apply: ApplyChange }) {
  const { t } = useTranslation('tickers');
  const { moment } = useFormats();
  const [added, setAdded] = useState<{ device: SourceDevice; addresses: readonly string[] } | null>(null);
  const { removeDevice, restoreDevice } = contract.tickerSourceList;
  const remove = ({ id, name }: SourceDevice): void => {
    const params = { id: String(id) };
    void apply(
      () => call(removeDevice, { params }),
      (words) => words.t('source_device_removed', { ns: 'tickers', name }),
      () => call(restoreDevice, { params }),
    );
  };
  const isThere = view.devices.some(({ id }) => id === added?.device.id);
  return (
    <Panel title={t('source_devices')} aside={view.devices.length}>
      <div className="panel-body stack">
        <p className="cap">{t('source_devices_text')}</p>
        <AddForm onAdded={setAdded} />
        {added && isThere && <NewAddress name={added.device.name} addresses={added.addresses} />}
      </div>
      <ul className="lines">
        {view.devices.map((device) => (
          <li key={device.id} className="ticker-change">
            <span>
              {device.name} <span className="cap">{t('source_device_since', { when: moment(device.created_at) })}</span>
            </span>
            <IconButton
              glyph={Trash2}
              label={t('source_device_remove', { name: device.name })}
              onClick={() => remove(device)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function AddForm({ onAdded }: { onAdded: (added: { device: SourceDevice; addresses: readonly string[] }) => void }) {
  const { t } = useTranslation('tickers');
  const client = useQueryClient();
  const { showError } = useToasts();
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const add = async (): Promise<void> => {
    setBusy(true);
    try {
      const { view, ...added } = await call(contract.tickerSourceList.addDevice, { body: { name: name.trim() } });
      client.setQueryData(cacheKeys.tickerSource, view);
      setName('');
      onAdded(added);
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  };
  return (
    <form
      className="ticker-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label={t('source_device_name')}>
        {(control) => (
          <Input {...control} value={name} maxLength={31} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <span>
        <Button type="submit" glyph={Plus} disabled={isBusy || name.trim() === ''}>
          {t('source_device_add')}
        </Button>
      </span>
    </form>
  );
}

/** The token is in these addresses, and nowhere else from now on. */
function NewAddress({ name, addresses }: { name: string; addresses: readonly string[] }) {
  const { t } = useTranslation('tickers');
  const { show } = useToasts();
  const copy = async (address: string): Promise<void> => {
    const key = (await copyText(address)) ? 'source_copied' : 'source_not_copied';
    show({ text: (words) => words.t(key, { ns: 'tickers' }) });
  };
  return (
    <div className="stack" role="status">
      <Notice tone="warn">{t('source_address_once', { name })}</Notice>
      {addresses.map((address) => (
        <span key={address} className="ticker-address">
          <code className="mono" translate="no">
            {address}
          </code>
          <Button size="small" glyph={Copy} onClick={() => void copy(address)}>
            {t('source_copy')}
          </Button>
        </span>
      ))}
    </div>
  );
}
