import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../client/format.ts';
import { useNearHits } from '../../../client/near-hits.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { ListSearch } from '../../../client/document-list.ts';
import { NO_FILTERS } from './queries.ts';

interface NoMatchProps {
  search: ListSearch;
  change: (part: Partial<ListSearch> & { patient?: string | undefined }) => void;
}

/** No document matches: similar searches that would find some, hits of other people, and how to remove the filters. */
export function NoMatch({ search, change }: NoMatchProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useNearHits(search.q, search.patient);
  const near = data?.near ?? [];
  const nearEveryone = data?.near_everyone ?? [];
  const everyone = data?.everyone ?? 0;
  return (
    <EmptyState
      title={search.q ? t('search.no_document', { text: search.q }) : t('documents.no_match')}
      actions={
        <>
          {near.map(({ text, total }) => (
            <Button key={text} variant="primary" onClick={() => change({ ...NO_FILTERS, q: text })}>
              {t('search.near', { text, hits: formats.count(total) })}
            </Button>
          ))}
          {nearEveryone.map(({ text, total }) => (
            <Button key={text} onClick={() => change({ ...NO_FILTERS, q: text, patient: undefined })}>
              {t('search.near_everyone', { text, hits: formats.count(total) })}
            </Button>
          ))}
          {everyone > 0 && (
            <Button onClick={() => change({ ...NO_FILTERS, q: search.q, patient: undefined })}>
              {t('search.everyone', { hits: formats.count(everyone) })}
            </Button>
          )}
          <Button onClick={() => change(NO_FILTERS)}>{t('action.clear_all')}</Button>
        </>
      }
    >
      {near.length + nearEveryone.length > 0 ? t('search.did_you_mean') : t('documents.no_match_text')}
    </EmptyState>
  );
}
