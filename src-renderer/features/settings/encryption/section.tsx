import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EncryptionOverview } from '../../../../src-shared/contract/vault-encryption.ts';
import { useEncryption } from '../../../client/encryption.ts';
import { LockDialog } from '../../../client/lock-dialog.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { storedFailure } from '../../../client/stored-failure.ts';
import { ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import { KeychainPanel } from './keychain.tsx';
import { PasswordPanel, RecoveryPanel } from './keys.tsx';
import { SwitchOffPanel, SwitchOnPanel } from './switch.tsx';
import { SettingForm } from '../setting-form.tsx';

/** The encryption section: what is encrypted, the password and the recovery key, locking and switching. */
export default function EncryptionSection() {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useEncryption();
  if (data)
    return (
      <>
        <StatePanel overview={data} />
        <ChangePanels overview={data} />
      </>
    );
  return (
    <Panel title={t('state')}>
      {error ? (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={3} label={t('loading')} />
      )}
    </Panel>
  );
}

const COVERED = ['covered_files', 'covered_database', 'covered_backups'] as const;
const NOT_COVERED = [
  'open_names',
  'open_earlier',
  'open_deleted',
  'open_phones',
  'open_unlocked',
  'open_others',
] as const;

/** What can be changed here: passwords are typed only on the computer that Hearth runs on. */
function ChangePanels({ overview }: { overview: EncryptionOverview }) {
  const { t } = useTranslation('encryption');
  const { is_encrypted: isOn, is_here: isHere, can_switch: canSwitch, can_lock: canLock } = overview;
  const { opens_by_keychain: opensByKeychain } = overview;
  if (!canSwitch) return <Notice tone="warn">{t('only_shown')}</Notice>;
  return (
    <>
      {canLock && <LockPanel />}
      {!isHere && <Notice tone="warn">{t(isOn ? 'elsewhere_on' : 'elsewhere_off')}</Notice>}
      {isHere && isOn && (
        <>
          {opensByKeychain !== null && <KeychainPanel isOn={opensByKeychain} />}
          <PasswordPanel />
          <RecoveryPanel />
          <SwitchOffPanel />
        </>
      )}
      {isHere && !isOn && <SwitchOnPanel />}
    </>
  );
}

function StatePanel({ overview }: { overview: EncryptionOverview }) {
  const { t } = useTranslation('encryption');
  const vocabulary = useVocabulary();
  const { is_encrypted: isOn, last_error: lastError, plain_backups: plain } = overview;
  return (
    <Panel title={t('state')} actions={<Tag tone={isOn ? 'ok' : 'warn'}>{t(isOn ? 'on' : 'off')}</Tag>}>
      <div className="panel-body stack settings-lead">
        <p>{t(isOn ? 'on_text' : 'off_text')}</p>
        {lastError !== null && (
          <Notice tone="bad">{vocabulary.error(storedFailure(lastError, 'vault.switch_failed'))}</Notice>
        )}
        {plain.count > 0 && <Notice tone="warn">{t('plain_backups', plain)}</Notice>}
        <div>
          <h3>{t('covered')}</h3>
          <ul className="settings-points">
            {COVERED.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
        </div>
        <div>
          <h3>{t('not_covered')}</h3>
          <ul className="settings-points">
            {NOT_COVERED.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
        </div>
      </div>
    </Panel>
  );
}

function LockPanel() {
  const { t } = useTranslation('encryption');
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title={t('lock')}>
      <div className="panel-body stack settings-lead">
        <p>{t('lock_text')}</p>
        <div className="row">
          <Button onClick={() => setAsking(true)}>{t('lock_now')}</Button>
        </div>
      </div>
      <SettingForm names={['lock_after_minutes']} />
      <LockDialog open={isAsking} onOpenChange={setAsking} />
    </Panel>
  );
}
