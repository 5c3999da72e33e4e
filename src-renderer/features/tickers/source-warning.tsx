import { useTranslation } from 'react-i18next';
import type { DeviceSettings } from '../../../src-shared/ticker/device/shapes.ts';
import { valueAt } from '../../../src-shared/ticker/settings/check.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import type { SettingsForm } from './setting-control.tsx';

/** The clock of night mode takes memory that the portal's encryption needs on an ESP8266. */
export const lacksMemory = (settings: DeviceSettings): boolean =>
  settings.chip === 'esp8266' &&
  valueAt(settings, 'clock.nightEnabled') === true &&
  settings.ticker.symbols.some(({ source }) => source === 'cash');

/** Warns of a source that does not work on this board, and offers the one that does. */
export function SourceWarning({ settings, form }: { settings: DeviceSettings; form: SettingsForm }) {
  const { t } = useTranslation('tickers');
  if (!lacksMemory(settings)) return null;
  const toGithub = (): void =>
    form.change(
      'ticker.symbols',
      settings.ticker.symbols.map((row) => (row.source === 'cash' ? { ...row, source: 'github' } : row)),
    );
  return (
    <Notice tone="warn">
      {t('night_memory')}{' '}
      <Button size="small" onClick={toGithub}>
        {t('night_switch')}
      </Button>
    </Notice>
  );
}
