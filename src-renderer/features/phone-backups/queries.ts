import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { phoneBackups } from '../../../src-shared/contract/phone-backups/service.ts';
import { PHONE_KEY, useOpenBackups } from './source/open-backups.ts';
import { foldersOfShell } from './source/backup-locations.ts';
import { callService } from './source/service-source.ts';
import type { QueryReply, QueryRequest, BackupSource, QueryName } from './source/source.ts';

/** Rows per page of a list, and per request for a whole list. */
const PAGE_ROWS = 200;
const MAX_ROWS_PER_REQUEST = 1000;
/** The content of an open backup does not change, except by reading more artifacts. */
const STALE_MS = 10 * 60_000;

const LIST_KEY = ['phones', 'service'],
  SHELL_KEY = ['phones', 'shell'];

/** Makes the service search its folder of backups again. */
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

/** The reply to one query about an open backup. */
export function useAnswer<N extends QueryName>(
  source: BackupSource,
  name: N,
  request: QueryRequest<N>,
  enabled = true,
) {
  return useQuery({
    queryKey: [PHONE_KEY, source.device.id, name, request],
    enabled,
    staleTime: STALE_MS,
    retry: false,
    queryFn: ({ signal }) => source.query(name, request, signal),
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

/** Queries that reply with a page of rows. */
export type ListName = {
  [N in QueryName]: QueryReply<N> extends { items: unknown[]; total: number } ? N : never;
}[QueryName];
export type RowOf<N extends ListName> = QueryReply<N> extends { items: (infer R)[] } ? R : never;

/** A list of any length that loads the visible pages: `at(index)` is undefined until its page is loaded. */
export function useRowsOf<N extends ListName>(source: BackupSource, name: N, request: QueryRequest<N>) {
  const [pageRange, setPageRange] = useState({ first: 0, last: 0 });
  const pageNumbers = [
    ...new Set([
      0,
      ...Array.from({ length: pageRange.last - pageRange.first + 1 }, (_, page) => pageRange.first + page),
    ]),
  ];
  const pages = useQueries({
    queries: pageNumbers.map((page) => ({
      queryKey: [PHONE_KEY, source.device.id, name, request, page],
      staleTime: STALE_MS,
      retry: false,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        source.query(
          name,
          {
            ...request,
            query: {
              ...(request.query as object | undefined),
              limit: String(PAGE_ROWS),
              offset: String(page * PAGE_ROWS),
            },
          } as unknown as QueryRequest<N>,
          signal,
        ),
    })),
  });
  const answerOf = (page: number) =>
    pages[pageNumbers.indexOf(page)]?.data as { items: RowOf<N>[]; total: number } | undefined;
  const first = pages[0];
  return {
    total: answerOf(0)?.total,
    head: answerOf(0) as QueryReply<N> | undefined,
    error: pages.find(({ error }) => error)?.error ?? null,
    isLoading: first?.isLoading ?? true,
    at: (index: number): RowOf<N> | undefined => answerOf(Math.floor(index / PAGE_ROWS))?.items[index % PAGE_ROWS],
    show: (from: number, to: number) => {
      const next = { first: Math.floor(from / PAGE_ROWS), last: Math.floor(Math.max(from, to) / PAGE_ROWS) };
      if (next.first !== pageRange.first || next.last !== pageRange.last) setPageRange(next);
    },
    retry: () => {
      for (const page of pages) if (page.error) void page.refetch();
    },
  };
}

/** The part of a list that tables and lists render. */
export interface Rows<T> {
  total: number | undefined;
  error: unknown;
  at: (index: number) => T | undefined;
  show: (from: number, to: number) => void;
  retry: () => void;
}

/** Fetches every row, page after page: for exports, and for views that lay out the whole list. */
export async function allRows<N extends ListName>(
  source: BackupSource,
  name: N,
  request: QueryRequest<N>,
  onRows: (rows: number, total: number) => void = () => {},
  signal?: AbortSignal,
): Promise<RowOf<N>[]> {
  const rows: RowOf<N>[] = [];
  for (let total = 1; rows.length < total;) {
    const answer = (await source.query(
      name,
      {
        ...request,
        query: {
          ...(request.query as object | undefined),
          limit: String(MAX_ROWS_PER_REQUEST),
          offset: String(rows.length),
        },
      } as unknown as QueryRequest<N>,
      signal,
    )) as unknown as { items: RowOf<N>[]; total: number };
    rows.push(...answer.items);
    total = answer.items.length === 0 ? rows.length : answer.total;
    onRows(rows.length, total);
  }
  return rows;
}
