import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { phoneBackups } from '../../../src-shared/contract/phone-backups/service.ts';
import { PHONE_KEY, useOpenBackups } from './source/open-backups.ts';
import { foldersOfShell } from './source/places.ts';
import { callService } from './source/service-source.ts';
import type { QueryReply, QueryRequest, BackupSource, QueryName } from './source/source.ts';

/** Rows per request. */
const PAGE = 200;
const CONTENT_MS = 10 * 60_000;

const LIST_KEY = ['phones', 'service'],
  SHELL_KEY = ['phones', 'shell'];

/** Looks through the folder of backups again. */
export function useRefresh() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await (await callService('refresh', { body: {} })).json()) as Reply<typeof phoneBackups.refresh>,
    onSuccess: (list) => {
      client.setQueryData(LIST_KEY, list);
      void client.invalidateQueries({ queryKey: SHELL_KEY });
    },
  });
}

/** Backups that the service knows; locking one leaves them cached, because the list contains nothing secret. */
export function useServiceBackups(enabled = true) {
  return useQuery({
    queryKey: LIST_KEY,
    enabled,
    staleTime: 30_000,
    retry: false,
    queryFn: async ({ signal }) =>
      (await (await callService('list', {}, signal)).json()) as Reply<typeof phoneBackups.list>,
  });
}

/**
 * Folders of the same backups that the desktop shell lets this page read itself; null in a browser, and for users who
 * may not see them.
 */
export function useShellFolders() {
  const { backups } = useOpenBackups();
  return useQuery({
    queryKey: SHELL_KEY,
    staleTime: 30_000,
    retry: false,
    async queryFn() {
      const folders = await foldersOfShell();
      if (folders) await backups.addShell(folders);
      return folders;
    },
  });
}

/** One answer of an open backup. */
export function useAnswer<N extends QueryName>(source: BackupSource, name: N, asked: QueryRequest<N>, enabled = true) {
  return useQuery({
    queryKey: [PHONE_KEY, source.device.id, name, asked],
    enabled,
    staleTime: CONTENT_MS,
    retry: false,
    queryFn: ({ signal }) => source.query(name, asked, signal),
  });
}

/** The progress of reading the artifacts; polled until it is done. */
export function useIndexState(source: BackupSource) {
  return useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'indexState'],
    retry: false,
    queryFn: ({ signal }) => source.query('indexState', {}, signal),
    refetchInterval: ({ state }) =>
      state.data?.status === 'running' || state.data?.status === 'queued' ? 1000 : false,
  });
}

/** Questions that answer a page of rows. */
export type Listed = {
  [N in QueryName]: QueryReply<N> extends { items: unknown[]; total: number } ? N : never;
}[QueryName];
export type RowOf<N extends Listed> = QueryReply<N> extends { items: (infer R)[] } ? R : never;

/** A list of any length, by the pages that are looked at: `at(index)` is undefined while its page is on the way. */
export function useRowsOf<N extends Listed>(source: BackupSource, name: N, asked: QueryRequest<N>) {
  const [span, setSpan] = useState({ first: 0, last: 0 });
  const queryKey = [
    ...new Set([0, ...Array.from({ length: span.last - span.first + 1 }, (_, page) => span.first + page)]),
  ];
  const pages = useQueries({
    queries: queryKey.map((page) => ({
      queryKey: [PHONE_KEY, source.device.id, name, asked, page],
      staleTime: CONTENT_MS,
      retry: false,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        source.query(
          name,
          {
            ...asked,
            query: { ...(asked.query as object | undefined), limit: String(PAGE), offset: String(page * PAGE) },
          } as unknown as QueryRequest<N>,
          signal,
        ),
    })),
  });
  const answerOf = (page: number) =>
    pages[queryKey.indexOf(page)]?.data as { items: RowOf<N>[]; total: number } | undefined;
  const first = pages[0];
  return {
    total: answerOf(0)?.total,
    head: answerOf(0) as QueryReply<N> | undefined,
    error: pages.find(({ error }) => error)?.error ?? null,
    isLoading: first?.isLoading ?? true,
    at: (index: number): RowOf<N> | undefined => answerOf(Math.floor(index / PAGE))?.items[index % PAGE],
    show: (from: number, to: number) => {
      const next = { first: Math.floor(from / PAGE), last: Math.floor(Math.max(from, to) / PAGE) };
      if (next.first !== span.first || next.last !== span.last) setSpan(next);
    },
    retry: () => {
      for (const page of pages) if (page.error) void page.refetch();
    },
  };
}

/** A list as a table needs it. */
export interface Rows<T> {
  total: number | undefined;
  error: unknown;
  at: (index: number) => T | undefined;
  show: (from: number, to: number) => void;
  retry: () => void;
}

/** Every row, fetched page after page: for what has to be laid out as a whole, and for exports. */
export async function allRows<N extends Listed>(
  source: BackupSource,
  name: N,
  asked: QueryRequest<N>,
  onRows: (rows: number, total: number) => void = () => {},
  signal?: AbortSignal,
): Promise<RowOf<N>[]> {
  const rows: RowOf<N>[] = [];
  for (let total = 1; rows.length < total;) {
    const answer = (await source.query(
      name,
      {
        ...asked,
        query: { ...(asked.query as object | undefined), limit: '1000', offset: String(rows.length) },
      } as unknown as QueryRequest<N>,
      signal,
    )) as unknown as { items: RowOf<N>[]; total: number };
    rows.push(...answer.items);
    total = answer.items.length === 0 ? rows.length : answer.total;
    onRows(rows.length, total);
  }
  return rows;
}
