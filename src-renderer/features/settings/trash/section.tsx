import { TRASH_DAYS } from '../../../../src-shared/contract/trash.ts';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useRestore } from '../../../client/restore.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import { useWords, type Words } from '../../../client/words.ts';

type TrashItem = Reply<typeof contract.trash.list>['items'][number];

const nameOf = ({ label, document }: TrashItem, { titles }: Words): string =>
  document === null ? label : titles.title({ ...document, highlights: null });

/** Deleted items that can still be restored, each with a button to restore it. */
export default function TrashSection() {
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show, showError } = useToasts();
  const restore = useRestore();
  const words = useWords();
  const { data, error, refetch } = useQuery({
    queryKey: cacheKeys.trash,
    queryFn: ({ signal }) => call(contract.trash.list, {}, signal),
  });
  const restoring = useMutation({
    mutationFn: ({ id }: TrashItem) => restore(id),
    onSuccess: (_, item) => {
      show({ text: (words) => words.t('settings.restored', { name: nameOf(item, words) }) });
      for (const queryKey of [cacheKeys.trash, cacheKeys.documents, cacheKeys.today, cacheKeys.patients])
        void client.invalidateQueries({ queryKey });
    },
    onError: showError,
  });
  return (
    <Panel title={t('settings.trash')} aside={t('settings.trash_text', { days: TRASH_DAYS })}>
      {error && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('action.retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonLines count={3} label={t('app.loading')} />}
      {data?.items.length === 0 && <p className="panel-body cap">{t('settings.trash_none')}</p>}
      <ul className="lines">
        {data?.items.map((item) => (
          <li key={item.id} className="trash-row">
            <span className="truncate strong">{nameOf(item, words)}</span>
            <span className="muted truncate" title={words.titles.fileName(item.label)}>
              {item.document === null ? t(`settings.kind_${item.kind}`) : words.titles.fileName(item.label)}
            </span>
            <span className="cap num">{t('settings.until', { date: formats.date(item.undo_until.slice(0, 10)) })}</span>
            <Button size="small" disabled={restoring.isPending} onClick={() => restoring.mutate(item)}>
              {t('action.restore')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
