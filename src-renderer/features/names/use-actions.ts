import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { NameChanges, NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useToasts } from '../../ui/toasts.tsx';

interface Action<T> {
  act: () => Promise<T>;
  text?: (result: T) => string;
  undo?: (result: T) => Promise<unknown>;
}
export interface Named {
  id: number;
  canonical_display: string;
}
interface Alias {
  alias_id: number;
  alias: string;
  language: string | null;
}
export type MergeInto = Named | { canonical_code: string; canonical_display: string };

export type NameActions = ReturnType<typeof useNameActions>;

/** Runs actions on names: reloads everything they change, shows a toast, and offers undo if possible. */
function useRunner() {
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const refresh = async (): Promise<void> => {
    for (const queryKey of [cacheKeys.documents, cacheKeys.today, cacheKeys.trash, cacheKeys.suggestions])
      void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: cacheKeys.names });
  };
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const mutation = useMutation({ mutationFn: (work: () => Promise<unknown>) => work() });
  /** @throws ApiError, so that a form can show the error beside its field */
  const attempt = async <T>({ act, text, undo }: Action<T>): Promise<T> => {
    const result = (await mutation.mutateAsync(act)) as T;
    if (text) show({ text: text(result), ...(undo && { undo: () => undo(result).then(refresh, showError) }) });
    await refresh();
    return result;
  };
  /** Returns false and shows the error if the action fails. */
  const run = <T>(action: Action<T>): Promise<boolean> =>
    attempt(action).then(
      () => true,
      (error: unknown) => {
        showError(error);
        return false;
      },
    );
  return { busy: mutation.isPending, mutate: mutation.mutateAsync, attempt, run, refresh, show, showError };
}
type Runner = ReturnType<typeof useRunner>;

/** The actions on names of a kind. */
export function useNameActions(type: NameType) {
  const runner = useRunner();
  return {
    busy: runner.busy,
    ...useMergeActions(type, runner),
    ...useEntryActions(type, runner),
    ...useAliasActions(type, runner),
    remove: useRemove(type, runner),
  };
}

function useMergeActions(type: NameType, { run }: Runner) {
  const { t } = useTranslation('names');
  const undoMerge = (mergeId: number): Promise<unknown> =>
    call(contract.names.undoMerge, { params: { type, merge_id: String(mergeId) } });
  return {
    merge: (sources: readonly Named[], into: MergeInto): Promise<boolean> => {
      const target = 'id' in into ? { target_id: into.id } : { new_target: into };
      const body = { source_ids: sources.map(({ id }) => id), ...target };
      const source = sources[0]?.canonical_display ?? '';
      return run({
        act: () => call(contract.names.mergeBatch, { params: { type }, body }),
        text: () => t('merged', { count: sources.length, source, target: into.canonical_display }),
        undo: (result) => undoMerge((result as { merge_id: number }).merge_id),
      });
    },
    undoMerge: (mergeId: number): Promise<boolean> => run({ act: () => undoMerge(mergeId), text: () => t('unmerged') }),
    keepApart: (entries: readonly Named[]): Promise<boolean> => {
      const setApart = (apart: boolean) =>
        call(contract.names.keepApart, { params: { type }, body: { entry_ids: entries.map(({ id }) => id), apart } });
      return run({
        act: () => setApart(true),
        text: () => t('kept_apart', { a: entries[0]?.canonical_display ?? '', b: entries[1]?.canonical_display ?? '' }),
        undo: () => setApart(false),
      });
    },
  };
}

function useEntryActions(type: NameType, { attempt, run }: Runner) {
  const { t } = useTranslation('names');
  const params = (id: number) => ({ type, id: String(id) });
  const storedValues = (entry: NameRow, changes: Partial<NameChanges>) =>
    Object.fromEntries(Object.keys(changes).map((field) => [field, entry[field as keyof NameRow] ?? null]));
  return {
    /** @throws ApiError */
    save: (entry: NameRow, changes: Partial<NameChanges>): Promise<NameRow> =>
      attempt({
        act: () => call(contract.names.update, { params: params(entry.id), body: changes }),
        text: (saved) => t('saved', { name: saved.canonical_display }),
        undo: () => call(contract.names.update, { params: params(entry.id), body: storedValues(entry, changes) }),
      }),
    async confirm(entries: readonly Named[]): Promise<void> {
      await run({
        act: async () => {
          let sum = 0;
          for (const { id } of entries) sum += (await call(contract.names.confirm, { params: params(id) })).confirmed;
          return sum;
        },
        text: (sum) => t('confirmed', { count: sum }),
      });
    },
  };
}

/** Removes entries one by one; says how many could not be removed, and why. */
function useRemove(type: NameType, { mutate, refresh, show, showError }: Runner) {
  const { t } = useTranslation('names');
  const vocabulary = useVocabulary();
  return async (entries: readonly Named[]): Promise<void> => {
    const results = (await mutate(() =>
      Promise.allSettled(entries.map(({ id }) => call(contract.names.remove, { params: { type, id: String(id) } }))),
    )) as PromiseSettledResult<{ trash_id: number }>[];
    const removed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.trash_id] : []));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const restore = (): Promise<unknown> =>
      Promise.all(removed.map((id) => call(contract.trash.restore, { params: { id: String(id) } })));
    if (removed.length > 0)
      show({
        text: t('removed', { count: removed.length, name: entries[0]?.canonical_display ?? '' }),
        undo: () => restore().then(refresh, showError),
      });
    if (failures.length > 0) {
      const reason = vocabulary.error(failures[0]);
      const text =
        entries.length === 1 ? reason : t('partly', { failed: failures.length, count: entries.length, reason });
      show({ text, tone: 'bad' });
    }
    await refresh();
  };
}

function useAliasActions(type: NameType, { attempt, run }: Runner) {
  const { t } = useTranslation('names');
  const params = (id: number) => ({ type, id: String(id) });
  const removeAlias = (aliasId: number) =>
    call(contract.names.removeAlias, { params: { type, alias_id: String(aliasId) } });
  return {
    /** @throws ApiError */
    addAlias: (entry: Named, alias: string, move = false) =>
      attempt({
        act: () => call(contract.names.addAlias, { params: params(entry.id), body: { alias, ...(move && { move }) } }),
        text: ({ moved_references }) =>
          move ? t('spelling_moved', { count: moved_references }) : t('spelling_added', { alias }),
        ...(!move && { undo: (added: { alias_id: number }) => removeAlias(added.alias_id) }),
      }),
    removeAlias: (entry: Named, { alias_id: aliasId, alias, language }: Alias): Promise<boolean> =>
      run({
        act: () => removeAlias(aliasId),
        text: () => t('spelling_removed', { alias }),
        undo: () => call(contract.names.addAlias, { params: params(entry.id), body: { alias, language } }),
      }),
  };
}
