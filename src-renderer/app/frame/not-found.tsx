import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';

/** The page for an unknown address. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <div className="page">
      <EmptyState
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

/** The page shown when a route throws. */
export function RouteError({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  return (
    <main className="page">
      <EmptyState
        title={t('missing.crashed')}
        actions={
          <Link className={buttonClass()} to="/" reloadDocument>
            {t('missing.home')}
          </Link>
        }
      >
        {vocabulary.error(error)}
      </EmptyState>
    </main>
  );
}
