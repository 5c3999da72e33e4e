import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { contract } from './api.ts';
import type { BackupOverview } from '../../src-shared/contract/vault-backups.ts';
import type { LiveMessage } from '../../src-shared/contract/live.ts';
import type { PipelineStatus } from '../../src-shared/contract/pipeline.ts';
import type { CheckState } from '../../src-shared/contract/vault-files.ts';
import { cacheKeys } from './cache-keys.ts';

/** Delay before a broken stream reconnects, in ms; doubles up to the maximum. */
const RECONNECT_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;
/** Collects the changes of one job, so that lists are fetched only once. */
const BATCH_MS = 400;

/** The pipeline state after a progress message; unchanged if the message is about another job. */
export function withProgress(
  status: PipelineStatus | undefined,
  message: Extract<LiveMessage, { kind: 'progress' }>,
): PipelineStatus | undefined {
  const job = status?.current_job;
  if (!status || !job || job.doc_id !== message.document_id) return status;
  const stagesDone =
    job.stage !== null && job.stage !== message.stage && !job.stages_done.includes(job.stage)
      ? [...job.stages_done, job.stage]
      : job.stages_done;
  return {
    ...status,
    current_job: {
      ...job,
      stage: message.stage,
      page_current: message.page_current,
      page_total: message.page_total,
      stages_done: stagesDone,
    },
  };
}

/** Applies one message to the cache; `stale` collects the keys to refetch. */
export function applyMessage(
  client: QueryClient,
  message: LiveMessage,
  markStale: (key: readonly unknown[]) => void,
): void {
  switch (message.kind) {
    case 'pipeline':
      client.setQueryData(cacheKeys.pipeline, message.status);
      return;
    case 'progress':
      client.setQueryData<PipelineStatus>(cacheKeys.pipeline, (status) => withProgress(status, message));
      return;
    case 'check':
      // Progress is applied directly; the results are fetched at the end.
      client.setQueryData<CheckState>(cacheKeys.vaultCheck, (state) =>
        state?.check?.status === 'running'
          ? { ...state, check: { ...state.check, documents: message.documents, total: message.total } }
          : state,
      );
      if (message.status !== 'running' || message.documents === 0) markStale(cacheKeys.vaultCheck);
      return;
    case 'backup':
      client.setQueryData<BackupOverview>(
        cacheKeys.backups,
        (overview) => overview && { ...overview, running: message.progress },
      );
      if (message.progress === null) markStale(cacheKeys.backups);
      return;
    case 'event':
      markStale(cacheKeys.events);
      markStale(cacheKeys.timeline);
      markStale(cacheKeys.documentFacets);
      return;
    case 'names':
      markStale(cacheKeys.names);
      markStale(cacheKeys.labs);
      return;
    case 'shares':
      markStale(cacheKeys.shares);
      return;
    case 'document':
      markStale(cacheKeys.timeline);
      markStale(cacheKeys.labs);
      markStale(cacheKeys.events);
      markStale(cacheKeys.documentLists);
      markStale(cacheKeys.documentFacets);
      markStale(cacheKeys.today);
      markStale(cacheKeys.review);
      markStale(cacheKeys.vaultTree);
      markStale(cacheKeys.document(message.document_id));
      if (message.change === 'deleted') markStale(cacheKeys.trash);
  }
}

/** Milliseconds after which messages are read although the page is busy. */
const MAX_BUSY_MS = 2_000;
/** Not every browser tells when it is idle. */
const WITHOUT_IDLE_MS = 500;

const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: MAX_BUSY_MS });
    else setTimeout(resolve, WITHOUT_IDLE_MS);
  });

type LiveSchema = Promise<typeof import('../../src-shared/contract/live.ts')>;
let schema: LiveSchema | undefined;
/** Loaded after the first message, when the page has been shown: to make the schemas takes as long as to show a list. */
const loadSchema = (): LiveSchema => (schema ??= whenIdle().then(() => import('../../src-shared/contract/live.ts')));

/** Keeps the cache current while mounted. Returns false while disconnected, so that callers can poll. */
export function useLive(): boolean {
  const client = useQueryClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    let source: EventSource | null = null;
    let isMounted = true;
    let attempt = 0;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const pending = new Map<string, readonly unknown[]>();
    const flush = () => {
      settle = undefined;
      for (const queryKey of pending.values()) void client.invalidateQueries({ queryKey });
      pending.clear();
    };
    const markStale = (key: readonly unknown[]) => {
      pending.set(JSON.stringify(key), key);
      settle ??= setTimeout(flush, BATCH_MS);
    };
    const connect = () => {
      source = new EventSource(contract.pipeline.events.path);
      source.onopen = () => {
        if (attempt > 0)
          for (const key of [
            cacheKeys.documents,
            cacheKeys.events,
            cacheKeys.timeline,
            cacheKeys.labs,
            cacheKeys.names,
            cacheKeys.today,
            cacheKeys.pipeline,
            cacheKeys.backups,
            cacheKeys.shares,
            cacheKeys.vaultCheck,
            cacheKeys.vaultTree,
          ])
            markStale(key);
        attempt = 0;
        setConnected(true);
      };
      source.onmessage = (event: MessageEvent<string>) => {
        // Messages are applied in the order in which they arrive, also while their schema is loaded.
        void loadSchema().then(({ liveMessage }) => {
          const message = liveMessage.safeParse(JSON.parse(event.data));
          if (message.success && isMounted) applyMessage(client, message.data, markStale);
        });
      };
      source.onerror = () => {
        source?.close();
        setConnected(false);
        retry = setTimeout(connect, RECONNECT_MS[Math.min(attempt++, RECONNECT_MS.length - 1)]);
      };
    };
    connect();
    return () => {
      isMounted = false;
      source?.close();
      clearTimeout(retry);
      clearTimeout(settle);
    };
  }, [client]);
  return connected;
}
