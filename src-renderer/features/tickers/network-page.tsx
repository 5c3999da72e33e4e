import { Link } from '@tanstack/react-router';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DeviceSettings, deviceSettings, deviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { diffSettings, documentOf } from '../../../src-shared/ticker/settings/change.ts';
import { ApiError, call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { readPreference, storePreference } from '../../client/storage.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { Health } from './device-step.tsx';
import { type DeviceLogin, loginAfter, type NetworkDevice, newDevice, referenceOf } from './network-device.ts';
import { Preview } from './preview.tsx';
import type { SettingsDraft } from './settings-draft.ts';
import { SettingsEditor } from './settings-editor.tsx';
import { UpdatePanel } from './update-panel.tsx';
import './tickers.css';

const POLL_MS = 5000;
const PREFERENCE = 'ticker-addresses';

function storedAddresses(): string[] {
  try {
    const stored: unknown = JSON.parse(readPreference(PREFERENCE) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Devices in the home network: their screens, state, settings and updates. */
export default function NetworkPage() {
  const { t } = useTranslation('tickers');
  const [devices, setDevices] = useState<readonly NetworkDevice[]>(() =>
    storedAddresses().map((address) => newDevice(address)),
  );
  const keep = (list: readonly NetworkDevice[]): void => {
    setDevices(list);
    storePreference(PREFERENCE, JSON.stringify(list.map(({ address }) => address)));
  };
  return (
    <div className="page stack">
      <div className="page-head">
        <h1>{t('network_page')}</h1>
        <span className="push row">
          <Link to="/tickers/prices" className={buttonClass()}>
            {t('source_page')}
          </Link>
          <Link to="/tickers" className={buttonClass()}>
            {t('network_set_up')}
          </Link>
        </span>
      </div>
      <p className="muted">{t('network_text')}</p>
      <Discovery
        known={devices.map(({ address }) => address)}
        onAdd={(address) => keep([...devices, newDevice(address)])}
      />
      <AddDevice onAdd={(device) => keep([...devices.filter(({ address }) => address !== device.address), device])} />
      {devices.length === 0 && <EmptyState title={t('network_none_yet')}>{t('network_none_text')}</EmptyState>}
      {devices.map((device) => (
        <DeviceCard
          key={device.address}
          device={device}
          onRemove={() => keep(devices.filter((other) => other !== device))}
          onLogin={(login) =>
            setDevices((list) => list.map((one) => (one.address === device.address ? { ...one, ...login } : one)))
          }
        />
      ))}
    </div>
  );
}

/** Listens for devices when asked to, and offers those that are not in the list. */
function Discovery({ known, onAdd }: { known: readonly string[]; onAdd: (address: string) => void }) {
  const { t } = useTranslation('tickers');
  const vocabulary = useVocabulary();
  const search = useMutation({ mutationFn: () => call(contract.tickers.discover, { body: { seconds: 3 } }) });
  const found = search.data?.devices.filter(({ address }) => !known.includes(address));
  return (
    <div className="stack">
      <span>
        <Button glyph={Search} disabled={search.isPending} onClick={() => search.mutate()}>
          {t(search.isPending ? 'discover_busy' : 'discover')}
        </Button>
      </span>
      {search.error && <ErrorState message={vocabulary.error(search.error)} />}
      <div role="status">{found?.length === 0 && t('discover_none')}</div>
      {found && found.length > 0 && (
        <ul className="panel lines" aria-label={t('discover_found')}>
          {found.map(({ name, address, version }) => (
            <li key={address} className="ticker-change">
              <span>
                {name} <span className="cap">{[address, version].filter(Boolean).join(' · ')}</span>
              </span>
              <Button size="small" glyph={Plus} onClick={() => onAdd(address)}>
                {t('discover_add', { name })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function AddDevice({ onAdd }: { onAdd: (device: NetworkDevice) => void }) {
  const { t } = useTranslation('tickers');
  const [address, setAddress] = useState('');
  const [password, setPassword] = useState('');
  return (
    <form
      className="ticker-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(newDevice(address.trim(), password));
        setAddress('');
        setPassword('');
      }}
    >
      <Field label={t('network_address')} hint={t('network_address_hint')}>
        {(control) => (
          <Input {...control} value={address} maxLength={200} onChange={({ target }) => setAddress(target.value)} />
        )}
      </Field>
      <Field label={t('network_password')}>
        {(control) => (
          <SecretInput
            {...control}
            labels={{ show: t('show_password'), hide: t('hide_password') }}
            value={password}
            maxLength={63}
            autoComplete="off"
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <span>
        <Button type="submit" glyph={Plus} disabled={address.trim() === ''}>
          {t('network_add')}
        </Button>
      </span>
    </form>
  );
}

/** The state of a device, asked again every few seconds while the page is open. */
function useDevice(device: NetworkDevice, attempt: number) {
  return useQuery({
    // The password itself stays out of the keys of the cache.
    queryKey: [...cacheKeys.tickers, device.address, attempt],
    queryFn: async ({ signal }) => {
      const { status, settings } = await call(contract.tickers.readDevice, { body: device }, signal);
      return { status: deviceStatus.parse(status), settings: deviceSettings.parse(settings) };
    },
    refetchInterval: POLL_MS,
    retry: false,
    // An unchanged answer stays the same object, so that edits are not thrown away.
    structuralSharing: true,
  });
}

function DeviceCard({
  device,
  onRemove,
  onLogin,
}: {
  device: NetworkDevice;
  onRemove: () => void;
  onLogin: (login: DeviceLogin) => void;
}) {
  const { t } = useTranslation('tickers');
  const vocabulary = useVocabulary();
  const [isOpen, setOpen] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const { data, error, refetch } = useDevice(device, attempt);
  const { showError } = useToasts();
  const refresh = (): void =>
    void call(contract.tickers.actDevice, { body: { ...device, action: 'refresh' } }).catch(showError);
  const name = data?.settings.hostname ?? device.address;
  return (
    <section className="panel panel-body stack" aria-label={name}>
      <div className="row">
        <h2>{name}</h2>
        <span className="cap">{device.address}</span>
        <span className="push row">
          {data && <Button onClick={() => setOpen(!isOpen)}>{t(isOpen ? 'network_close' : 'network_open')}</Button>}
          <IconButton glyph={Trash2} label={t('network_remove', { name })} onClick={onRemove} />
        </span>
      </div>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {error instanceof ApiError && error.code === 'ticker.password_wrong' && (
        <LoginForm
          user={device.user}
          onGive={(login) => {
            onLogin(login);
            setAttempt(attempt + 1);
          }}
        />
      )}
      {!data && !error && <SkeletonLines count={3} label={t('device_reading')} />}
      {data && !isOpen && (
        <div className="ticker-live">
          <div>
            <Preview settings={data.settings} status={data.status} />
            <p className="cap">{t('network_drawn')}</p>
          </div>
          <Health status={data.status} onRefresh={refresh} />
        </div>
      )}
      {data && isOpen && (
        <>
          <UpdatePanel device={device} status={data.status} />
          <NetworkEditor device={device} settings={data.settings} status={data.status} onLogin={onLogin} />
        </>
      )}
    </section>
  );
}

/** The list keeps no users and passwords, so that a page that was loaded anew asks for them. */
function LoginForm({ user: first, onGive }: { user: string; onGive: (login: DeviceLogin) => void }) {
  const { t } = useTranslation('tickers');
  const [user, setUser] = useState(first);
  const [password, setPassword] = useState('');
  return (
    <form
      className="ticker-form"
      onSubmit={(event) => {
        event.preventDefault();
        onGive({ user, password });
      }}
    >
      <Field label={t('setting.auth_user')}>
        {(control) => (
          <Input
            {...control}
            value={user}
            maxLength={31}
            autoComplete="off"
            onChange={({ target }) => setUser(target.value)}
          />
        )}
      </Field>
      <Field label={t('network_its_password')}>
        {(control) => (
          <SecretInput
            {...control}
            labels={{ show: t('show_password'), hide: t('hide_password') }}
            value={password}
            maxLength={63}
            autoComplete="off"
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <span>
        <Button type="submit" disabled={password === ''}>
          {t('network_connect')}
        </Button>
      </span>
    </form>
  );
}

function NetworkEditor({
  device,
  settings,
  status,
  onLogin,
}: {
  device: NetworkDevice;
  settings: DeviceSettings;
  status: Parameters<typeof SettingsEditor>[0]['status'];
  onLogin: (login: DeviceLogin) => void;
}) {
  const client = useQueryClient();
  const { show } = useToasts();
  const [draft, setDraft] = useState<SettingsDraft | null>(null);
  const write = useMutation({
    mutationFn: async (wanted: DeviceSettings) => {
      const document = documentOf(diffSettings(settings, wanted)) as Record<string, unknown>;
      await call(contract.tickers.writeDevice, { body: { ...device, document } });
      onLogin(loginAfter(document, device));
    },
    onSuccess: () => show({ text: ({ t }) => t('settings_written', { ns: 'tickers' }) }),
    onSettled: async (_, error) => {
      await client.invalidateQueries({ queryKey: cacheKeys.tickers });
      if (error === null) setDraft(null);
    },
  });
  return (
    <SettingsEditor
      stored={settings}
      draft={draft}
      status={status}
      isWriting={write.isPending}
      failure={referenceOf(write.error)}
      onDraft={setDraft}
      onWrite={(wanted) => write.mutate(wanted)}
    />
  );
}
