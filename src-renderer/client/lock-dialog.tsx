import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice, SkeletonLines } from '../ui/states.tsx';
import { useEncryption, useLockVault } from './encryption.ts';
import { useMe } from './session.tsx';
import { useVocabulary } from './vocabulary.ts';

/** Asks before the vault is locked, because everybody then waits for its password; says so where it can't be locked. */
export function LockDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('lock.title')}>
      <Question onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Question({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const isAdmin = useMe()?.role === 'admin';
  const { data, error } = useEncryption(isAdmin);
  const lock = useLockVault();
  if (isAdmin && !data && !error) return <SkeletonLines count={2} label={t('app.loading')} />;
  const mayLock = isAdmin && data?.can_lock === true;
  const reason = (): string => {
    if (!isAdmin) return t('lock.admin_only');
    if (error) return vocabulary.error(error);
    return t(data?.is_encrypted ? 'lock.not_here' : 'lock.not_encrypted');
  };
  return (
    <div className="stack">
      {lock.isError && <Notice tone="bad">{vocabulary.error(lock.error)}</Notice>}
      <p>{mayLock ? t('lock.text') : reason()}</p>
      {lock.isPending && <p role="status">{t('lock.locking')}</p>}
      <div className="row">
        {mayLock && (
          <Button variant="primary" disabled={lock.isPending} onClick={() => lock.mutate()}>
            {t('lock.do')}
          </Button>
        )}
        <Button disabled={lock.isPending} onClick={onClose}>
          {t(mayLock ? 'action.cancel' : 'action.close')}
        </Button>
      </div>
    </div>
  );
}
