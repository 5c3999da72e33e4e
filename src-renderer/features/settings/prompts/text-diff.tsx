import { diffWordsWithSpace } from 'diff';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** What was added to and taken from a text, word by word; said in words too, not by colour alone. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('settings');
  const settled = useDeferredValue(after);
  const parts = useMemo(() => diffWordsWithSpace(before, settled), [before, settled]);
  if (before === settled) return <p className="cap">{t('diff_same')}</p>;
  return (
    <section className="stack" aria-label={t('diff')}>
      <h3>{t('diff')}</h3>
      <div className="text-diff" tabIndex={0} role="region" aria-label={t('diff')}>
        {parts.map((part, index) =>
          part.added ? (
            <ins key={index}>{part.value}</ins>
          ) : part.removed ? (
            <del key={index}>{part.value}</del>
          ) : (
            <span key={index}>{part.value}</span>
          ),
        )}
      </div>
    </section>
  );
}
