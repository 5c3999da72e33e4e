import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { usePipelineStatus } from '../../../client/overview.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useMe } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import { useToasts } from '../../../client/toasts.tsx';

/** The pipeline: its state, counts, and buttons to pause and resume. */
export function PipelinePanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { showError } = useToasts();
  const isAdmin = useMe()?.role === 'admin';
  const { data: status, error, refetch } = usePipelineStatus(true);
  const toggle = useMutation({
    mutationFn: () => call(status?.running ? contract.pipeline.stop : contract.pipeline.start, {}),
    onSuccess: (next) => client.setQueryData(cacheKeys.pipeline, next),
    onError: showError,
  });
  return (
    <Panel
      title={t('settings.reading')}
      actions={
        isAdmin && status ? (
          <Button className="push" size="small" disabled={toggle.isPending} onClick={() => toggle.mutate()}>
            {status.running ? t('pipeline.stop') : t('command.reader_start')}
          </Button>
        ) : undefined
      }
    >
      {error && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('action.retry')} onRetry={() => void refetch()} />
      )}
      {!status && !error && <SkeletonLines count={3} label={t('app.loading')} />}
      {status && (
        <div className="panel-body stack">
          {status.auto_stopped ? (
            <Notice tone="warn">
              {t('pipeline.auto_stopped', {
                reason: status.auto_stop_error ? vocabulary.failure(status.auto_stop_error) : '',
              })}
            </Notice>
          ) : (
            <p>{status.running ? t('settings.reading_on') : t('settings.reading_off')}</p>
          )}
          <dl className="settings-rows settings-facts">
            <dt>{t('pipeline.queue')}</dt>
            <dd className="num">{formats.count(status.queue_depth)}</dd>
            <dt>{t('settings.read_total')}</dt>
            <dd className="num">{formats.count(status.total_processed)}</dd>
            <dt>{t('settings.failed_total')}</dt>
            <dd className="num">{formats.count(status.total_errors)}</dd>
            <dt>{t('settings.inbox')}</dt>
            <dd>{status.watcher_active ? t('settings.inbox_on') : t('settings.inbox_off')}</dd>
          </dl>
        </div>
      )}
    </Panel>
  );
}
