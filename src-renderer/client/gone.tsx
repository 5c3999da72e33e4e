import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

interface GoneProps {
  /** Says what does not exist. */
  text: string;
  /** The list in which it would be. */
  list: 'documents' | 'imaging';
}

/** In place of a record that does not exist, the ways on: asking again would not help. */
export function Gone({ text, list }: GoneProps) {
  const { t } = useTranslation('app');
  return (
    <div role="alert">
      <EmptyState
        isPage
        title={text}
        actions={
          <>
            <Link className={buttonClass({ variant: 'primary' })} to="/settings/trash">
              {t('settings.trash')}
            </Link>
            <Link className={buttonClass()} to={`/${list}`}>
              {t(`nav.${list}`)}
            </Link>
          </>
        }
      />
    </div>
  );
}
