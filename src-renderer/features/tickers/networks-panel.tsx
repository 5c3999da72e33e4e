import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { valueAt } from '../../../src-shared/ticker/settings/check.ts';
import { MAX_NETWORKS } from '../../../src-shared/ticker/settings/fields.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { type SettingsForm, useProblem } from './setting-control.tsx';

type StoredNetwork = { ssid: string; pass?: string; passSet?: boolean };

/** The networks that a device knows, in the order of trying. An empty password keeps the stored one. */
export function StoredNetworks({ form }: { form: SettingsForm }) {
  const { t } = useTranslation('tickers');
  const problemOf = useProblem(form);
  const networks = valueAt(form.settings, 'wifi') as readonly StoredNetwork[];
  const replace = (list: readonly StoredNetwork[]): void => form.change('wifi', list);
  const edit = (at: number, change: Partial<StoredNetwork>): void =>
    replace(networks.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <div className="stack">
      <span className="strong">{t('wifi_known')}</span>
      {networks.map((network, at) => (
        <div key={at} className="ticker-known">
          <Input
            aria-label={t('wifi_known_name', { at: at + 1 })}
            value={network.ssid}
            onChange={({ target }) => edit(at, { ssid: target.value })}
          />
          <Input
            type="password"
            autoComplete="new-password"
            aria-label={t('wifi_known_password', { at: at + 1 })}
            placeholder={network.passSet ? t('secret_set') : t('wifi_open')}
            value={network.pass ?? ''}
            onChange={({ target }) => edit(at, { pass: target.value })}
          />
          <IconButton
            glyph={Trash2}
            label={t('wifi_forget', { at: at + 1 })}
            onClick={() => replace(networks.filter((_, index) => index !== at))}
          />
          {['ssid', 'pass'].map((key) => {
            const problem = problemOf(`wifi.${at}.${key}`);
            return (
              problem && (
                <span key={key} className="form-error">
                  {problem}
                </span>
              )
            );
          })}
        </div>
      ))}
      <span>
        <Button
          size="small"
          glyph={Plus}
          disabled={networks.length >= MAX_NETWORKS}
          onClick={() => replace([...networks, { ssid: '' }])}
        >
          {t('wifi_add')}
        </Button>
      </span>
    </div>
  );
}
