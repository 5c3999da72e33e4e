import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import { NAME_TYPES, type NameRow, type NameType } from '../../../src-shared/contract/names.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { usePatients } from '../../client/session.tsx';

/** The search parameters of the page's address. */
export interface NamesSearch {
  type?: string;
  q?: string;
  filter?: string;
  sort?: string;
  entry?: string;
}

const PAGE = 200;
const MAX_DOCUMENTS = 20;

export const typeOf = (search: NamesSearch): NameType => NAME_TYPES.find((type) => type === search.type) ?? 'lab_tests';

const isFilter = (text: string | undefined): text is 'unreviewed' | 'unused' =>
  text === 'unreviewed' || text === 'unused';

export function useOverview() {
  return useQuery({
    queryKey: [...cacheKeys.names, 'overview'],
    queryFn: ({ signal }) => call(contract.names.overview, {}, signal),
    select: (reply) => reply.types,
  });
}

/** The names of a kind; each page has its `type`, because the previous kind stays visible while the next loads. */
export function useNameList(search: NamesSearch) {
  const { i18n } = useTranslation();
  const type = typeOf(search);
  const query = {
    language: i18n.language,
    ...(search.q && { search: search.q }),
    ...(isFilter(search.filter) && { filter: search.filter }),
    ...(search.sort === 'uses' && { sort: 'uses' as const }),
  };
  return useInfiniteQuery({
    queryKey: [...cacheKeys.names, 'list', type, query],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) => ({
      ...(await call(
        contract.names.list,
        { params: { type }, query: { ...query, limit: String(PAGE), offset: String(pageParam) } },
        signal,
      )),
      offset: pageParam,
      type,
    }),
    getNextPageParam: (last) =>
      last.offset + last.items.length < last.total ? last.offset + last.items.length : undefined,
  });
}

/** Merge proposals; only loaded for users who may merge. */
export function useProposals(type: NameType, enabled: boolean) {
  return useQuery({
    queryKey: [...cacheKeys.names, 'proposals', type],
    enabled: enabled,
    staleTime: 30_000,
    queryFn: ({ signal }) => call(contract.names.autoMerge, { params: { type } }, signal),
  });
}

/** What a model proposes for each patient of the user, asked one after another: no request has names of two. */
export function useModelProposals(type: NameType) {
  const patients = usePatients().filter(({ role }) => role === 'owner');
  const client = useQueryClient();
  return {
    mayAsk: patients.length > 0,
    ...useMutation({
      mutationKey: [...cacheKeys.names, 'by model', type],
      mutationFn: async () => {
        const found: Reply<typeof contract.names.autoMerge>[] = [];
        for (const { id } of patients)
          found.push(await call(contract.names.autoMerge, { params: { type }, query: { patient_id: String(id) } }));
        return { type, found };
      },
      onSuccess: () => void client.invalidateQueries({ queryKey: cacheKeys.modelUse }),
    }),
  };
}

export function useEntry(type: NameType, id: number) {
  return useQuery({
    queryKey: [...cacheKeys.names, 'entry', type, id],
    retry: false,
    queryFn: ({ signal }) => call(contract.names.get, { params: { type, id: String(id) } }, signal),
  });
}

export function useEntryDocuments(type: NameType, id: number) {
  return useQuery({
    queryKey: [...cacheKeys.names, 'documents', type, id],
    queryFn: ({ signal }) =>
      call(
        contract.names.documents,
        { params: { type, id: String(id) }, query: { limit: String(MAX_DOCUMENTS) } },
        signal,
      ),
  });
}

export function useMerges(type: NameType, enabled: boolean) {
  return useQuery({
    queryKey: [...cacheKeys.names, 'merges', type],
    enabled: enabled,
    queryFn: ({ signal }) => call(contract.names.merges, { params: { type } }, signal),
    select: (reply) => reply.items,
  });
}

/** Finds the entry that already has a code or name, if the user may see it; otherwise null. */
export async function findOther(
  type: NameType,
  id: number,
  by: { code: string } | { display: string },
): Promise<NameRow | null> {
  const { items } = await call(contract.names.list, {
    params: { type },
    query: { search: 'code' in by ? by.code : by.display },
  });
  const same = (text: string, enabled: string): boolean => text.trim().toLowerCase() === enabled.trim().toLowerCase();
  return (
    items.find(
      (item) =>
        item.id !== id &&
        ('code' in by
          ? item.canonical_code === by.code
          : [item.canonical_display, ...Object.values(item.names ?? {})].some((name) => same(name, by.display))),
    ) ?? null
  );
}
