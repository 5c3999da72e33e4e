import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import { overviewQuery } from '../../client/overview.ts';
import { useToasts } from '../../client/toasts.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import type { Message } from '../../client/words.ts';
import { useAnnounce } from '../../ui/live-region.tsx';
import { batchEnd, batchStart } from './batch.ts';

/** What was read, and what of it or of earlier documents needs review. */
const finishedText =
  (count: number, toReview: number): Message =>
  ({ t }) => {
    const read = t('pipeline.read', { count });
    return toReview === 0 ? t('pipeline.finished_clear', { read }) : t('pipeline.finished', { read, count: toReview });
  };

/** Announces to screen readers which file is read and its stage, and says at the end what was read. */
export function useProgressAnnouncements(status: PipelineStatus | undefined): void {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const { show } = useToasts();
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const start = useRef<number | null>(null);
  const job = status?.current_job;
  const progress = job ? t('pipeline.progress', { name: job.filename, stage: vocabulary.stage(job.stage) }) : '';
  useEffect(() => {
    if (progress !== '') announce(progress);
  }, [announce, progress]);
  useEffect(() => {
    if (!status) return;
    const count = batchEnd(start.current, status);
    start.current = batchStart(start.current, status);
    if (count === null) return;
    // The message is a live region of its own.
    announce('');
    client.fetchQuery(overviewQuery(undefined)).then(
      ({ to_review_total: toReview }) => show({ text: finishedText(count, toReview) }),
      () => show({ text: ({ t: word }) => word('pipeline.read', { count }) }),
    );
  }, [announce, client, show, status]);
}
