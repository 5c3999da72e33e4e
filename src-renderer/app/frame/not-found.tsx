import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api.ts';
import { isReachable } from '../../client/reached.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';

/** The page for an unknown address. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <div className="page">
      <EmptyState
        isPage
        title={t('missing.title')}
        actions={
          <Link className={buttonClass({ variant: 'primary' })} to="/">
            {t('missing.home')}
          </Link>
        }
      >
        {t('missing.text')}
      </EmptyState>
    </div>
  );
}

/** Shown in the place of a page that throws, in the frame; without a frame, as the whole page. */
export function PageError({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  if (error instanceof ApiError && error.code === 'network')
    return (
      <div className="page">
        <ErrorState message={vocabulary.error(error)} retryLabel={t('action.retry')} onRetry={() => void startAnew()} />
      </div>
    );
  return (
    <div className="page">
      <EmptyState
        isPage
        title={t('missing.crashed')}
        actions={
          <Link className={buttonClass()} to="/" reloadDocument>
            {t('missing.home')}
          </Link>
        }
      >
        {vocabulary.error(error)}
      </EmptyState>
    </div>
  );
}

/** Starting anew without Hearth would leave only the browser's own page. */
async function startAnew(): Promise<void> {
  if (await isReachable()) location.reload();
}

export const RouteError = (props: ErrorComponentProps) => (
  <main>
    <PageError {...props} />
  </main>
);

/** Shown while the scripts or the first rows of a page are on their way. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <div className="page">
      <SkeletonLines count={8} label={t('app.loading')} />
    </div>
  );
}

export const Nothing = () => null;
