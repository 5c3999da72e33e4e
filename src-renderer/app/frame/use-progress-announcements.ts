import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import { overviewQuery } from '../../client/overview.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useAnnounce } from '../../ui/live-region.tsx';
import { batchEnd, batchStart } from './batch.ts';

/** Announces to screen readers which file is read and its stage, and at the end what was read and what needs review. */
export function useProgressAnnouncements(status: PipelineStatus | undefined): void {
  const { t } = useTranslation();
  const announce = useAnnounce();
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
    const read = t('pipeline.read', { count });
    client.fetchQuery(overviewQuery(undefined)).then(
      ({ to_review_total: toReview }) =>
        announce(
          toReview === 0 ? t('pipeline.finished_clear', { read }) : t('pipeline.finished', { read, count: toReview }),
        ),
      () => announce(read),
    );
  }, [announce, client, status, t]);
}
