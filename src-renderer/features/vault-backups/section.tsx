import { useTranslation } from 'react-i18next';
import { Download } from 'lucide-react';
import { addressOf, contract } from '../../client/api.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../ui/states.tsx';
import { BackupList } from './list.tsx';
import { PlanForm } from './plan.tsx';
import { useBackups } from './queries.ts';
import { StatePanel } from './state.tsx';
import './backups.css';

/** The backup section: state, plan, list of backups, and database export. */
export default function BackupsSection() {
  const { t } = useTranslation('vault_backups');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useBackups();
  return (
    <>
      {error && !data && (
        <Panel title={t('state')}>
          <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
        </Panel>
      )}
      {!data && !error && (
        <Panel title={t('state')}>
          <SkeletonLines count={3} label={t('loading')} />
        </Panel>
      )}
      {data && <StatePanel overview={data} />}
      {/* A plan that was changed elsewhere resets the form. */}
      {data && <PlanForm key={JSON.stringify(data.plan)} plan={data.plan} />}
      {data && <BackupList overview={data} />}
      {data?.is_encrypted ? <Notice tone="ok">{t('encrypted')}</Notice> : <DatabasePanel />}
    </>
  );
}

/** The database as a file for other programs, which can't read that of an encrypted vault. */
function DatabasePanel() {
  const { t } = useTranslation('vault_backups');
  return (
    <Panel title={t('database')} aside={t('database_text')}>
      <div className="panel-body row backup-download">
        <a className={buttonClass()} href={addressOf(contract.vaultBackups.download)} download>
          <Icon glyph={Download} />
          {t('download')}
        </a>
        <a
          className={buttonClass({ variant: 'quiet' })}
          href={addressOf(contract.vaultBackups.download, { query: { secrets: 'include' } })}
          download
        >
          {t('download_secrets')}
        </a>
        <span className="cap">{t('download_secrets_hint')}</span>
      </div>
    </Panel>
  );
}
