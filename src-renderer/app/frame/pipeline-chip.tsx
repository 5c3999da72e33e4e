import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PipelineStatus as Status } from '../../../src-shared/contract/pipeline.ts';
import { Button } from '../../ui/button.tsx';
import { Dots, dotStates } from '../../ui/dots.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Notice } from '../../ui/states.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useFormats } from '../../client/format.ts';
import { readingPage } from '../../client/reading-page.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMe } from '../../client/session.tsx';
import { PipelineStatus } from '../../client/pipeline-status.tsx';
import { useBatch } from './use-batch.ts';

/** What the pipeline is reading, in a few words; opens the activity panel. */
export function PipelineChip({ status, live: isLive }: { status: Status | undefined; live: boolean }) {
  const { t } = useTranslation();
  const job = status?.current_job;
  const { done, total } = useBatch(status);
  const stateText = (): string => {
    if (!isLive) return t('pipeline.offline');
    if (status && !status.running) return t('pipeline.stopped');
    if (!job) return t('pipeline.idle');
    const at = readingPage(job);
    return at && at.pages > 1
      ? t('pipeline.reading_page', { done, total, ...at })
      : t('pipeline.reading', { done, total });
  };
  const label = stateText();
  const isIdle = isLive && status?.running === true && !job;
  return (
    <Popover
      isWide
      align="end"
      label={t('pipeline.activity')}
      trigger={
        <button type="button" className="chip pipeline-chip" data-testid="pipeline" data-idle={isIdle || undefined}>
          {job && (
            <Dots
              states={dotStates(job.stages_planned, job.stages_done, job.stage)}
              label={t('pipeline.progress_dots', { done: job.stages_done.length, total: job.stages_planned.length })}
            />
          )}
          <span className="num truncate">{label}</span>
        </button>
      }
    >
      <Activity status={status} />
    </Popover>
  );
}

function Activity({ status }: { status: Status | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const isAdmin = useMe()?.role === 'admin';
  const { showError } = useToasts();
  const toggle = useMutation({
    mutationFn: () => call(status?.running ? contract.pipeline.stop : contract.pipeline.start, {}),
    onSuccess: (next) => client.setQueryData(cacheKeys.pipeline, next),
    onError: showError,
  });
  if (!status) return null;
  return (
    <div className="activity">
      {status.auto_stopped && (
        <Notice tone="warn">
          {t('pipeline.auto_stopped', {
            reason: status.auto_stop_error ? vocabulary.failure(status.auto_stop_error) : '',
          })}
        </Notice>
      )}
      <h2>{t('pipeline.now')}</h2>
      {status.current_job || status.queued_jobs.length > 0 ? (
        <PipelineStatus status={status} maxRows={6} />
      ) : (
        <p className="cap">{t('pipeline.nothing')}</p>
      )}
      {status.recent_errors.length > 0 && <h2>{t('pipeline.errors')}</h2>}
      <ul>
        {status.recent_errors.slice(-3).map((error) => (
          <li key={`${error.doc_id} ${error.at}`} className="activity-error">
            <strong className="truncate">{error.filename}</strong>
            <span className="cap">{formats.moment(error.at)}</span>
            <span>{error.error ? vocabulary.failure(error.error) : error.message}</span>
          </li>
        ))}
      </ul>
      {isAdmin && (
        <Button size="small" disabled={toggle.isPending} onClick={() => toggle.mutate()}>
          {status.running ? t('pipeline.stop') : t('command.reader_start')}
        </Button>
      )}
    </div>
  );
}
