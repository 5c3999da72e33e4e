import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HardDriveDownload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useMe } from '../../client/session.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Reminds administrators that nothing is backed up, until a folder for backups is set. */
export function NoBackup({ documents }: { documents: number }) {
  const { t } = useTranslation();
  const isAdmin = useMe()?.role === 'admin';
  const { data } = useQuery({
    queryKey: cacheKeys.backups,
    queryFn: ({ signal }) => call(contract.vaultBackups.list, {}, signal),
    enabled: isAdmin,
  });
  if (!isAdmin || data?.target.state !== 'unset') return null;
  return (
    <section className="panel today-wide no-backup" aria-label={t('today.no_backup_title')}>
      <Icon glyph={HardDriveDownload} size={20} />
      <span>
        <strong>{t('today.no_backup', { count: documents })}</strong>
        <span className="muted"> {t('today.no_backup_text')}</span>
      </span>
      <Link to="/settings/backups" className={`${buttonClass()} push`}>
        {t('today.no_backup_set_up')}
      </Link>
    </section>
  );
}
