import { useMutation } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SettingName } from '../../../../src-shared/contract/setting-keys.ts';
import { call, contract } from '../../../client/api.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Notice } from '../../../ui/states.tsx';
import { SettingForm } from '../setting-form.tsx';
import { useSettings } from '../queries.ts';

const SERVICE_SETTINGS = [
  'oidc_enabled',
  'oidc_provider_url',
  'oidc_client_id',
  'oidc_client_secret',
  'oidc_scopes',
] as const satisfies readonly SettingName[];
const SESSION_SETTINGS = [
  'oidc_auto_create_user',
  'oidc_username_claim',
  'oidc_display_name_claim',
  'oidc_role_claim',
  'oidc_admin_group',
  'oidc_editor_group',
] as const satisfies readonly SettingName[];

/** The sign-in section: session length and sign-in service. */
export default function SignInSection() {
  const { t } = useTranslation('settings');
  const { data } = useSettings();
  const isSetUp = data !== undefined && data.oidc_provider_url !== '' && data.oidc_client_id !== '';
  return (
    <>
      <Panel title={t('session_panel')}>
        <SettingForm names={['session_ttl_hours']} />
      </Panel>
      <Panel title={t('oidc')} actions={isSetUp ? <TestButton key={data.oidc_provider_url} /> : undefined}>
        <div className="panel-body stack settings-lead">
          <p>{t('oidc_text')}</p>
          <p className="cap">
            {t('oidc_redirect')}{' '}
            <span className="mono">
              {location.origin}
              {contract.oidc.callback.path}
            </span>
          </p>
          {data?.oidc_enabled && !isSetUp && <Notice tone="warn">{t('oidc_incomplete')}</Notice>}
        </div>
        <SettingForm names={SERVICE_SETTINGS} />
      </Panel>
      <Panel title={t('oidc_accounts')}>
        <SettingForm names={SESSION_SETTINGS} />
      </Panel>
    </>
  );
}

function TestButton() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const test = useMutation({ mutationFn: () => call(contract.oidc.test, {}) });
  const { data, error } = test;
  const resultText = (): string => {
    if (error) return vocabulary.error(error);
    if (!data) return '';
    return data.ok ? t('oidc_answers', { issuer: data.issuer ?? '' }) : t('oidc_silent');
  };
  return (
    <>
      <span role="status" className={data?.ok ? 'cap' : 'cap high'}>
        {resultText()}
      </span>
      <Button size="small" glyph={PlugZap} disabled={test.isPending} onClick={() => test.mutate()}>
        {t('oidc_test')}
      </Button>
    </>
  );
}
