import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  MAIL_ENCRYPTIONS,
  SHARE_LISTEN_CHOICES,
  type SettingName,
} from '../../../../src-shared/contract/setting-keys.ts';
import { call, contract } from '../../../client/api.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSettings } from '../queries.ts';
import { SettingForm } from '../setting-form.tsx';

const SERVICE_SETTINGS = [
  'share_listen',
  'share_public_base_url',
  'share_trusted_proxy',
] as const satisfies readonly SettingName[];

const MAIL_SETTINGS = [
  'smtp_host',
  'smtp_port',
  'smtp_encryption',
  'smtp_user',
  'smtp_password',
  'smtp_from_name',
  'smtp_from_address',
] as const satisfies readonly SettingName[];

/** The sharing section: the service for recipients of shares, and the mail server for their codes. */
export default function SharingSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <Panel title={t('share_service')}>
        <div className="panel-body stack settings-lead">
          <p>{t('share_service_text')}</p>
        </div>
        <SettingForm
          names={SERVICE_SETTINGS}
          choices={{
            share_listen: SHARE_LISTEN_CHOICES.map((value) => ({ value, label: t(`share_listen_${value}`) })),
          }}
        />
      </Panel>
      <Panel title={t('mail_server')} actions={<TestButton />}>
        <div className="panel-body stack settings-lead">
          <p>{t('mail_server_text')}</p>
        </div>
        <SettingForm
          names={MAIL_SETTINGS}
          choices={{ smtp_encryption: MAIL_ENCRYPTIONS.map((value) => ({ value, label: t(`smtp_${value}`) })) }}
        />
      </Panel>
    </>
  );
}

/** Sends a test message to the sender. */
function TestButton() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const { data } = useSettings();
  const test = useMutation({ mutationFn: (to: string) => call(contract.mail.test, { body: { to } }) });
  const sender = data?.smtp_from_address ?? '';
  if (sender === '') return null;
  return (
    <>
      <span role="status" className={test.error ? 'cap high' : 'cap'}>
        {test.error ? vocabulary.error(test.error) : test.data && t('mail_sent', { to: sender })}
      </span>
      <Button size="small" glyph={Send} disabled={test.isPending} onClick={() => test.mutate(sender)}>
        {t('mail_test')}
      </Button>
    </>
  );
}
