import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PipelineStatus } from '../../src-shared/contract/pipeline.ts';
import { Button } from '../ui/button.tsx';
import { Dots, dotStates } from '../ui/dots.tsx';
import { useToasts } from './toasts.tsx';
import { call, contract } from './api.ts';
import { readingPage } from './reading-page.ts';
import { useVocabulary } from './vocabulary.ts';

/** Documents being read or queued, each with progress and Cancel. */
export function PipelineStatus({ status, maxRows }: { status: PipelineStatus; maxRows: number }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const { show, showError } = useToasts();
  const cancel = useMutation({
    mutationFn: ({ id }: { id: number; name: string }) =>
      call(contract.documents.cancel, { params: { id: String(id) } }),
    onSuccess: (_, { name }) => show({ text: (words) => words.t('pipeline.cancelled', { name }) }),
    onError: showError,
  });
  const job = status.current_job;
  const rows = [
    ...(job
      ? [
          {
            id: job.doc_id,
            name: job.filename,
            planned: job.stages_planned,
            done: job.stages_done,
            stage: job.stage,
            at: readingPage(job),
          },
        ]
      : []),
    ...status.queued_jobs.map((queued) => ({
      id: queued.doc_id,
      name: queued.label,
      planned: job?.stages_planned ?? ['', '', '', ''],
      done: [] as string[],
      stage: null,
      at: null,
    })),
  ];
  return (
    <ul className="lines pipeline-status">
      {rows.slice(0, maxRows).map((row) => (
        <li key={row.id} className="reading-row">
          <span className="truncate strong">{row.name}</span>
          <Dots
            states={dotStates(row.planned, row.done, row.stage)}
            label={t('pipeline.progress_dots', { done: row.done.length, total: row.planned.length })}
          />
          <span className="muted truncate">{vocabulary.stage(row.stage)}</span>
          <span className="muted num truncate">{row.at && t('pipeline.page', row.at)}</span>
          <Button size="small" onClick={() => cancel.mutate({ id: row.id, name: row.name })}>
            {t('action.cancel')}
          </Button>
        </li>
      ))}
      {rows.length > maxRows && <li className="cap">{t('pipeline.more', { count: rows.length - maxRows })}</li>}
    </ul>
  );
}
