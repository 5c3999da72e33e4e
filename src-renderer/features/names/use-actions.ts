import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { NameChanges, NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useToasts } from '../../ui/toasts.tsx';

interface Deed<T> {
  act: () => Promise<T>;
  text?: (result: T) => string;
  undo?: (result: T) => Promise<unknown>;
}
export interface Named {
  id: number;
  canonical_display: string;
}
export type MergeInto = Named | { canonical_code: string; canonical_display: string };

export type NameActions = ReturnType<typeof useNameActions>;

/** What can be done with names; each can be taken back where that is possible. Answers false where it failed, and says why. */
export function useNameActions(type: NameType) {
  const { t } = useTranslation('names');
  const words = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const refresh = async (): Promise<void> => {
    for (const queryKey of [cacheKeys.documents, cacheKeys.today, cacheKeys.trash, cacheKeys.suggestions])
      void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: cacheKeys.names });
  };
  const refused = (error: unknown): void => show({ text: words.error(error), tone: 'bad' });
  const run = useMutation({ mutationFn: (work: () => Promise<unknown>) => work() });
  const params = (id: number) => ({ type, id: String(id) });

  /** @throws what the server refused, so that a form can show it in its place */
  const attempt = async <T>({ act, text, undo }: Deed<T>): Promise<T> => {
    const result = (await run.mutateAsync(act)) as T;
    if (text) show({ text: text(result), ...(undo && { undo: () => undo(result).then(refresh, refused) }) });
    await refresh();
    return result;
  };
  const tell = (deed: Deed<unknown>): Promise<boolean> =>
    attempt(deed).then(
      () => true,
      (error: unknown) => {
        refused(error);
        return false;
      },
    );

  const undoMerge = (mergeId: number): Promise<unknown> =>
    call(contract.names.undoMerge, { params: { type, merge_id: String(mergeId) } });
  return {
    busy: run.isPending,
    merge: (sources: readonly Named[], into: MergeInto): Promise<boolean> => {
      const target = 'id' in into ? { target_id: into.id } : { new_target: into };
      return tell({
        act: () =>
          call(contract.names.mergeBatch, {
            params: { type },
            body: { source_ids: sources.map(({ id }) => id), ...target },
          }),
        text: () =>
          t('merged', {
            count: sources.length,
            source: sources[0]?.canonical_display ?? '',
            target: into.canonical_display,
          }),
        undo: (result) => undoMerge((result as { merge_id: number }).merge_id),
      });
    },
    undoMerge: (mergeId: number): Promise<boolean> =>
      tell({ act: () => undoMerge(mergeId), text: () => t('unmerged') }),
    keepApart: (entries: readonly Named[]): Promise<boolean> => {
      const say = (apart: boolean) =>
        call(contract.names.keepApart, { params: { type }, body: { entry_ids: entries.map(({ id }) => id), apart } });
      return tell({
        act: () => say(true),
        text: () => t('kept_apart', { a: entries[0]?.canonical_display ?? '', b: entries[1]?.canonical_display ?? '' }),
        undo: () => say(false),
      });
    },
    /** @throws ApiError */
    save: (entry: NameRow, changes: Partial<NameChanges>): Promise<NameRow> =>
      attempt({
        act: () => call(contract.names.update, { params: params(entry.id), body: changes }),
        text: (saved) => t('saved', { name: saved.canonical_display }),
        undo: () =>
          call(contract.names.update, {
            params: params(entry.id),
            body: Object.fromEntries(
              Object.keys(changes).map((field) => [field, entry[field as keyof NameRow] ?? null]),
            ),
          }),
      }),
    /** Each by itself; those that could not go are told of. */
    async remove(entries: readonly Named[]): Promise<void> {
      const ends = (await run.mutateAsync(() =>
        Promise.allSettled(entries.map(({ id }) => call(contract.names.remove, { params: params(id) }))),
      )) as PromiseSettledResult<{ trash_id: number }>[];
      const gone = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.trash_id] : []));
      const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      if (gone.length > 0)
        show({
          text: t('removed', { count: gone.length, name: entries[0]?.canonical_display ?? '' }),
          undo: () =>
            Promise.all(gone.map((id) => call(contract.trash.restore, { params: { id: String(id) } }))).then(
              refresh,
              refused,
            ),
        });
      if (failures.length > 0)
        show({
          text:
            entries.length === 1
              ? words.error(failures[0])
              : t('partly', { failed: failures.length, count: entries.length, reason: words.error(failures[0]) }),
          tone: 'bad',
        });
      await refresh();
    },
    async confirm(entries: readonly Named[]): Promise<void> {
      await tell({
        act: async () => {
          let sum = 0;
          for (const { id } of entries) sum += (await call(contract.names.confirm, { params: params(id) })).confirmed;
          return sum;
        },
        text: (sum) => t('confirmed', { count: sum as number }),
      });
    },
    /** @throws ApiError */
    addAlias: (entry: Named, alias: string, move = false) =>
      attempt({
        act: () => call(contract.names.addAlias, { params: params(entry.id), body: { alias, ...(move && { move }) } }),
        text: ({ moved_references }) =>
          move ? t('spelling_moved', { count: moved_references }) : t('spelling_added', { alias }),
        ...(!move && {
          undo: ({ alias_id }: { alias_id: number }) =>
            call(contract.names.removeAlias, { params: { type, alias_id: String(alias_id) } }),
        }),
      }),
    removeAlias: (
      entry: Named,
      { alias_id, alias, language }: { alias_id: number; alias: string; language: string | null },
    ): Promise<boolean> =>
      tell({
        act: () => call(contract.names.removeAlias, { params: { type, alias_id: String(alias_id) } }),
        text: () => t('spelling_removed', { alias }),
        undo: () => call(contract.names.addAlias, { params: params(entry.id), body: { alias, language } }),
      }),
  };
}
