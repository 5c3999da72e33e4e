import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { NameRow } from '../../src-shared/contract/names.ts';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** What names an entry. */
export type NamedEntry = Pick<NameRow, 'canonical_display' | 'names'>;

/** The name of an entry in a language if the knowledge base has it, otherwise as the household calls it. */
export const entryName = ({ names, canonical_display }: NamedEntry, language: string): string =>
  names?.[language] ?? canonical_display;

/** The names of entries in the language of the reader. */
export function useEntryName(): (entry: NamedEntry) => string {
  const { i18n } = useTranslation();
  return (entry) => entryName(entry, i18n.language);
}

/** All of them: there are about as many as branches of medicine. */
const ALL = '2000';

/** The names of specialties in the language of the reader, by the name that documents have. */
export function useSpecialtyName(): <Name extends string | null | undefined>(display: Name) => Name | string {
  const { i18n } = useTranslation();
  const { data } = useQuery({
    queryKey: [...cacheKeys.names, 'specialties'],
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(contract.names.list, { params: { type: 'specialties' }, query: { limit: ALL } }, signal),
    select: specialtyNames,
  });
  return (display) => (display ? (data?.get(display)?.[i18n.language] ?? display) : display);
}

const specialtyNames = ({ items }: { items: NameRow[] }): Map<string, Readonly<Record<string, string>>> =>
  new Map(items.flatMap(({ canonical_display, names }) => (names ? [[canonical_display, names] as const] : [])));
