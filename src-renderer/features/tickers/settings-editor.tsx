import { Download, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { DeviceSettings, DeviceStatus } from '../../../src-shared/ticker/device/shapes.ts';
import { exportSettings, importSettings } from '../../../src-shared/ticker/device/write-settings.ts';
import { TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import { diffSettings, type SettingChange } from '../../../src-shared/ticker/settings/change.ts';
import { draftOver, mergeInto, type SettingsDraft } from './settings-draft.ts';
import { checkSettings, valueAt, withValue } from '../../../src-shared/ticker/settings/check.ts';
import type { SettingPath } from '../../../src-shared/ticker/settings/fields.ts';
import { TIME_ZONES } from '../../../src-shared/ticker/settings/zones.ts';
import { saveFile } from '../../client/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { Failure } from './failure.tsx';
import { StoredNetworks } from './networks-panel.tsx';
import { Preview } from './preview.tsx';
import { SettingControl, settingName, type SettingsForm } from './setting-control.tsx';
import { QuotesHelper } from './quotes-helper.tsx';
import { SourceWarning } from './source-warning.tsx';
import { SymbolFinder } from './symbol-finder.tsx';
import { SymbolsPanel } from './symbols-panel.tsx';

/** A setting and those beside it, by the panel that shows them. */
const GROUPS = {
  shown: [
    'language',
    'mode',
    'carouselSec',
    'ticker.range',
    'ticker.points',
    'ticker.rotateSec',
    'ticker.showName',
    'ticker.showPrice',
    'ticker.showChange',
    'ticker.showChart',
    'ticker.showRangeLabel',
    'ticker.showPageDots',
    'ticker.showPortfolio',
    'ticker.showUpdatedAgo',
    'ticker.showMarket',
    'ticker.extendedHours',
    'ticker.rangeBar',
    'ticker.watchlist',
    'ticker.showClock',
    'ticker.changeOnRange',
    'ticker.colorInverted',
  ],
  panel: ['brightness', 'autoBrightness', 'rotation'],
  clock: [
    'clock.nightEnabled',
    'clock.nightStart',
    'clock.nightEnd',
    'clock.nightLevel',
    'clock.nightClock',
    'clock.weekendOwn',
    'clock.weekendStart',
    'clock.weekendEnd',
    'clock.hours12',
  ],
  sources: ['ticker.pollSec', 'ticker.webhookUrl', 'ticker.repo'],
  network: ['hostname', 'apSsid', 'apPass'],
  access: ['auth.enabled', 'auth.user', 'auth.pass'],
} as const satisfies Record<string, readonly SettingPath[]>;

/** What only a panel of another maker, or a slow source, makes people change. */
const SELDOM = [
  'display.colorOrder',
  'display.invert',
  'display.rGain',
  'display.gGain',
  'display.bGain',
  'backlightInverted',
  'clock.tzPosix',
  'httpTimeout',
] as const satisfies readonly SettingPath[];

const MAX_IMPORT_BYTES = 64 * 1024;

/** Edits the settings of a device: with a preview, the limits of the device, and what would change. */
export function SettingsEditor({
  stored,
  draft,
  status,
  isWriting,
  failure,
  onDraft,
  onWrite,
}: {
  stored: DeviceSettings;
  draft: SettingsDraft | null;
  status: DeviceStatus | null;
  isWriting: boolean;
  failure: ErrorReference | null;
  onDraft: (draft: SettingsDraft | null) => void;
  onWrite: (wanted: DeviceSettings) => void;
}) {
  const { t } = useTranslation('tickers');
  const settings = draftOver(stored, draft);
  const edit = (changed: DeviceSettings): void => onDraft({ of: stored, settings: changed });
  const changes = diffSettings(stored, settings);
  const problems = checkSettings(settings);
  const form: SettingsForm = {
    settings,
    problems,
    change: (path, value) => edit(withValue(settings, path, value)),
  };
  return (
    <div className="ticker-editor">
      <div className="stack">
        <SymbolsPanel form={form} />
        <SourceWarning settings={settings} form={form} />
        <Panel title={t('find')}>
          <SymbolFinder
            range={valueAt(settings, 'ticker.range')}
            onAdd={(row) => form.change('ticker.symbols', [...settings.ticker.symbols, row])}
          />
        </Panel>
        <QuotesHelper symbols={settings.ticker.symbols} />
        {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
          <Panel key={group} title={t(`group_${group}`)}>
            <div className="panel-body ticker-settings">
              {group === 'clock' && <ZoneControl form={form} />}
              {GROUPS[group].map((path) => (
                <SettingControl key={path} path={path} form={form} />
              ))}
              {group === 'network' && <StoredNetworks form={form} />}
            </div>
          </Panel>
        ))}
        <details className="panel" open={problems.some(({ path }) => SELDOM.some((one) => one === path)) || undefined}>
          <summary className="panel-body strong">{t('group_seldom')}</summary>
          <div className="panel-body ticker-settings">
            {SELDOM.map((path) => (
              <SettingControl key={path} path={path} form={form} />
            ))}
          </div>
        </details>
      </div>
      <div className="stack ticker-side">
        <Preview settings={settings} status={status} />
        {failure && <Failure failure={failure} />}
        <Changes changes={changes} />
        {problems.length > 0 && <Notice tone="warn">{t('problems', { count: problems.length })}</Notice>}
        <div className="row ticker-write" data-waits={changes.length > 0 || undefined}>
          <Button
            variant="primary"
            disabled={changes.length === 0 || problems.length > 0 || isWriting}
            onClick={() => onWrite(settings)}
          >
            {t(isWriting ? 'settings_writing' : 'settings_write')}
          </Button>
          <Button disabled={changes.length === 0 || isWriting} onClick={() => onDraft(null)}>
            {t('settings_discard')}
          </Button>
        </div>
        <SettingsFiles stored={stored} onImport={(file) => edit(mergeInto(settings, file))} />
      </div>
    </div>
  );
}

function ZoneControl({ form }: { form: SettingsForm }) {
  const { t } = useTranslation('tickers');
  const { clock } = form.settings as { clock?: { tz?: string; tzPosix?: string } };
  const zone = clock?.tz ?? 'UTC';
  const zones = Object.keys(TIME_ZONES);
  return (
    <Field label={settingName(t, 'clock.tz')}>
      {(control) => (
        <Select
          {...control}
          value={zone}
          options={(zones.includes(zone) ? zones : [zone, ...zones]).map((name) => ({ value: name, label: name }))}
          onChange={({ target }) =>
            form.change('clock', { ...clock, tz: target.value, tzPosix: TIME_ZONES[target.value] ?? clock?.tzPosix })
          }
        />
      )}
    </Field>
  );
}

function Changes({ changes }: { changes: readonly SettingChange[] }) {
  const { t } = useTranslation('tickers');
  const textOf = (value: unknown): string => {
    if (value === '') return t('value_empty');
    return typeof value === 'object' || value === undefined ? '…' : String(value);
  };
  return (
    <Panel title={t('changes')} aside={changes.length}>
      {changes.length === 0 ? (
        <p className="panel-body muted">{t('changes_none')}</p>
      ) : (
        <ul className="lines">
          {changes.map(({ path, before, after }) => (
            <li key={path} className="ticker-change">
              <span>{settingName(t, path)}</span>
              <span className="num">
                {isHidden(path)
                  ? t('value_changed')
                  : t('value_change', { before: textOf(before), after: textOf(after) })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Lists say by their own controls what they hold; secrets are never shown. */
const isHidden = (path: string): boolean => /pass$/i.test(path) || path === 'wifi' || path === 'ticker.symbols';

function SettingsFiles({ stored, onImport }: { stored: DeviceSettings; onImport: (file: object) => void }) {
  const { t } = useTranslation('tickers');
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<ErrorReference | null>(null);
  const read = async (file: File): Promise<void> => {
    setFailure(null);
    try {
      onImport(importSettings(file.name, file.size > MAX_IMPORT_BYTES ? '' : await file.text()));
    } catch (error) {
      if (error instanceof TickerError) setFailure(error.reference);
      else throw error;
    }
  };
  return (
    <div className="stack">
      <span className="row">
        <Button
          size="small"
          glyph={Download}
          onClick={() =>
            saveFile(
              new Blob([exportSettings(stored)], { type: 'application/json' }),
              `${stored.hostname}-settings.json`,
            )
          }
        >
          {t('settings_export')}
        </Button>
        <Button size="small" glyph={FileUp} onClick={() => input.current?.click()}>
          {t('settings_import')}
        </Button>
      </span>
      <span className="cap">{t('settings_file_hint')}</span>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('settings_import')}
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = '';
          if (file) void read(file);
        }}
      />
      {failure && <Failure failure={failure} />}
    </div>
  );
}
