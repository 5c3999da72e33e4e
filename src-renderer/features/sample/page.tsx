import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { cacheKeys } from '../../client/cache-keys.ts';
import { usePageTitle } from '../../client/page-title.ts';
import { SwitchFailed, waitForHousehold } from '../../client/sample.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import '../../ui/gate.css';

/** Shown while the core closes the sample household; continues with the own one. */
export default function ClosingPage() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  usePageTitle(t('sample.closing'));
  const { error } = useQuery({
    queryKey: [...cacheKeys.sample, 'closing'],
    queryFn: async () => {
      await waitForHousehold(false);
      location.assign('/');
      return true;
    },
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <main className="gate">
      <div className="gate-card">
        <p className="gate-brand">{t('app.name')}</p>
        <h1>{t('sample.closing')}</h1>
        {error === null ? (
          <p className="muted" role="status">
            {t('sample.closing_text')}
          </p>
        ) : (
          <>
            <Notice tone="bad">
              {error instanceof SwitchFailed ? t('sample.close_failed') : vocabulary.error(error)}
            </Notice>
            <Button size="large" onClick={() => location.assign('/')}>
              {t('sample.back')}
            </Button>
          </>
        )}
      </div>
    </main>
  );
}
