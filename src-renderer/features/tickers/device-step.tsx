import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { writeSettings } from '../../../src-shared/ticker/device/write-settings.ts';
import type { DeviceSettings, DeviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { useFormats } from '../../client/format.ts';
import { useToasts } from '../../client/toasts.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SkeletonLines } from '../../ui/states.tsx';
import { Screen } from './preview.tsx';
import type { SettingsDraft } from './settings-draft.ts';
import { SettingsEditor } from './settings-editor.tsx';
import { type LineState, referenceOf } from './use-line.ts';

/** A running device on a cable: its screen, its health, its log, its settings. */
export function DeviceStep({
  state,
  draft,
  show,
  onDraft,
}: {
  state: LineState;
  draft: SettingsDraft | null;
  show: (change: Partial<LineState>) => void;
  onDraft: (draft: SettingsDraft | null) => void;
}) {
  const { t } = useTranslation('tickers');
  const { show: toast } = useToasts();
  const [isWriting, setWriting] = useState(false);
  const [failure, setFailure] = useState<ErrorReference | null>(null);
  const { line, settings, status } = state;
  if (line === null || settings === null) return <SkeletonLines count={6} label={t('device_reading')} />;
  const write = async (wanted: DeviceSettings): Promise<void> => {
    setWriting(true);
    setFailure(null);
    try {
      const written = await writeSettings(line, wanted, settings);
      onDraft(null);
      show({ settings: written.settings, status: await line.status() });
      toast({ text: () => t('settings_written') });
    } catch (error) {
      setFailure(referenceOf(error));
    }
    setWriting(false);
  };
  return (
    <>
      <header>
        <h2>{settings.hostname}</h2>
        <p className="muted">{t('device_text')}</p>
      </header>
      <div className="ticker-live">
        <section aria-label={t('live')}>
          <Screen pixels={state.picture} label={t('live')} />
          <p className="cap">{t('live_text')}</p>
        </section>
        {status && <Health status={status} onRefresh={() => void line.refresh().catch(() => undefined)} />}
        <Log state={state} onSwitch={(isOn) => void line.log(isOn).catch(() => undefined)} />
      </div>
      <SettingsEditor
        stored={settings}
        draft={draft}
        status={status}
        isWriting={isWriting}
        failure={failure}
        onDraft={onDraft}
        onWrite={(wanted) => void write(wanted)}
      />
    </>
  );
}

/** Why a price is missing, by the code of the firmware; codes of a newer one are shown as they are. */
function reasonText(t: ReturnType<typeof useTranslation<'tickers'>>['t'], code: string): string {
  return String(t(`reason.${code as 'no_price'}`, { defaultValue: code }));
}

/** Version, memory, signal, failures and the next fetch of a device. */
export function Health({ status, onRefresh }: { status: DeviceStatus; onRefresh: () => void }) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  const failed = status.tickers.filter(({ fresh, error }) => !fresh && !['', 'none', 'not_yet'].includes(error));
  const waits = status.tickers.flatMap(({ retryIn }) => retryIn ?? []);
  const rows: readonly (readonly [string, string])[] = [
    [t('firmware'), status.version],
    [t('board'), `${status.board} (${status.chip})`],
    [t('memory'), t('memory_free', { free: formats.bytes(status.heap), block: formats.bytes(status.maxblk) })],
    [
      t('network'),
      status.connected ? t('network_joined', { name: status.ssid, address: status.ip }) : t('network_none'),
    ],
    [t('signal'), t('wifi_signal', { dbm: formats.count(status.rssi) })],
    [t('uptime'), t('seconds', { count: status.uptime })],
    [
      t('failures'),
      failed.length === 0
        ? t('failures_none')
        : failed.map(({ symbol, error }) => `${symbol}: ${reasonText(t, error)}`).join(', '),
    ],
    [t('next_fetch'), waits.length === 0 ? t('next_regular') : t('seconds', { count: Math.min(...waits) })],
    [t('crashes'), formats.count(status.crashes)],
  ];
  return (
    <Panel
      title={t('health')}
      actions={
        <Button size="small" glyph={RotateCw} onClick={onRefresh}>
          {t('fetch_now')}
        </Button>
      }
    >
      <dl className="panel-body ticker-facts">
        {rows.map(([name, value]) => (
          <div key={name} className="ticker-fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Log({ state: { log }, onSwitch }: { state: LineState; onSwitch: (isOn: boolean) => void }) {
  const { t } = useTranslation('tickers');
  const [isOn, setOn] = useState(false);
  return (
    <Panel
      title={t('log')}
      actions={
        <Button
          size="small"
          aria-pressed={isOn}
          onClick={() => {
            onSwitch(!isOn);
            setOn(!isOn);
          }}
        >
          {t(isOn ? 'log_stop' : 'log_start')}
        </Button>
      }
    >
      <pre className="mono ticker-log" tabIndex={0} aria-label={t('log')}>
        {log.length === 0 ? t('log_none') : log.join('\n')}
      </pre>
    </Panel>
  );
}
