import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DesktopPreferences } from '../../../../src-shared/contract/bridge.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useMe } from '../../../client/session.tsx';
import { askShell } from '../../../client/shell-bridge.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';

const CHOICES = ['pause_on_battery', 'notifications', 'updates'] as const satisfies (keyof DesktopPreferences)[];

/** What is set for this computer alone; only the desktop window has it. */
export function ComputerPanel() {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { show } = useToasts();
  const isAdmin = useMe()?.role === 'admin';
  const { data } = useQuery({ queryKey: cacheKeys.desktop, queryFn: () => askShell('desktopState', {}) });
  const fail = (): void => show({ text: (words) => words.t('computer_failed', { ns: 'settings' }) });
  const change = useMutation({
    mutationFn: (changes: Partial<DesktopPreferences>) => askShell('changeDesktop', changes),
    onSuccess: (state) => client.setQueryData(cacheKeys.desktop, state),
    onError: fail,
  });
  const forget = useMutation({
    mutationFn: () => askShell('forgetDevices', {}),
    onSuccess: (state) => client.setQueryData(cacheKeys.desktop, state),
    onError: fail,
  });
  if (!data) return null;
  const choices = CHOICES.filter((name) => name !== 'updates' || data.can_update);
  return (
    <Panel title={t('computer')}>
      <div className="panel-body stack settings-lead">
        {data.is_safe_mode && <Notice tone="warn">{t('computer_safe_mode')}</Notice>}
        {choices.map((name) => (
          <div key={name}>
            <Checkbox
              label={t(`computer_${name}`)}
              checked={data.preferences[name]}
              disabled={!isAdmin || change.isPending}
              onChange={(event) => change.mutate({ [name]: event.target.checked })}
            />
            <p className="cap">{t(`computer_${name}_hint`)}</p>
          </div>
        ))}
        <div className="row">
          <span>{t('computer_devices', { count: data.devices })}</span>
          {isAdmin && data.devices > 0 && (
            <Button size="small" className="push" disabled={forget.isPending} onClick={() => forget.mutate()}>
              {t('computer_forget')}
            </Button>
          )}
        </div>
      </div>
    </Panel>
  );
}
