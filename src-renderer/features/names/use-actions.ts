import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NameChanges, NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { entryName, type NamedEntry } from '../../client/entry-name.ts';
import { useToasts } from '../../client/toasts.tsx';
import type { Message } from '../../client/words.ts';

interface Action<T> {
  act: () => Promise<T>;
  text: (result: T) => Message;
  undo?: (result: T) => Promise<unknown>;
}
export interface Named extends NamedEntry {
  id: number;
}
interface Alias {
  alias_id: number;
  alias: string;
  language: string | null;
}
export type MergeInto = Named | { canonical_code: string; canonical_display: string };

type NamesKey =
  | 'merged'
  | 'unmerged'
  | 'kept_apart'
  | 'saved'
  | 'confirmed'
  | 'removed'
  | `spelling_${'moved' | 'added' | 'removed'}`;

/** A message of this page; entries among its values are named in its language. */
const named =
  (key: NamesKey, values: Readonly<Record<string, string | number | NamedEntry | undefined>> = {}): Message =>
  ({ t, language }) => {
    const worded = Object.entries(values).map(([name, value = '']) => [
      name,
      typeof value === 'object' ? entryName(value, language) : value,
    ]);
    return String(t(key as 'unmerged', { ns: 'names', ...(Object.fromEntries(worded) as object) }));
  };

export type NameActions = ReturnType<typeof useNameActions>;

/** Runs actions on names: reloads everything they change, shows a toast, and offers undo if possible. */
function useRunner() {
  const client = useQueryClient();
  const { begin, show, showError } = useToasts();
  const refresh = async (): Promise<void> => {
    for (const queryKey of [cacheKeys.documents, cacheKeys.today, cacheKeys.trash, cacheKeys.suggestions])
      void client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: cacheKeys.names });
  };
  const mutation = useMutation({ mutationFn: (work: () => Promise<unknown>) => work() });
  /** @throws ApiError, so that a form can show the error beside its field */
  const attempt = async <T>({ act, text, undo }: Action<T>): Promise<T> => {
    const change = begin();
    const result = (await mutation.mutateAsync(act).catch((error: unknown) => {
      change.drop();
      throw error;
    })) as T;
    change.done({ text: text(result), ...(undo && { undo: () => undo(result).then(refresh) }) });
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
  return { busy: mutation.isPending, mutate: mutation.mutateAsync, attempt, run, refresh, show, begin };
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
  const undoMerge = (mergeId: number): Promise<unknown> =>
    call(contract.names.undoMerge, { params: { type, merge_id: String(mergeId) } });
  return {
    merge: (sources: readonly Named[], into: MergeInto): Promise<boolean> => {
      const target = 'id' in into ? { target_id: into.id } : { new_target: into };
      const body = { source_ids: sources.map(({ id }) => id), ...target };
      return run({
        act: () => call(contract.names.mergeBatch, { params: { type }, body }),
        text: () => named('merged', { count: sources.length, source: sources[0], target: { names: null, ...into } }),
        undo: (result) => undoMerge((result as { merge_id: number }).merge_id),
      });
    },
    undoMerge: (mergeId: number): Promise<boolean> =>
      run({ act: () => undoMerge(mergeId), text: () => named('unmerged') }),
    keepApart: (entries: readonly Named[]): Promise<boolean> => {
      const setApart = (apart: boolean) =>
        call(contract.names.keepApart, { params: { type }, body: { entry_ids: entries.map(({ id }) => id), apart } });
      return run({
        act: () => setApart(true),
        text: () => named('kept_apart', { a: entries[0], b: entries[1] }),
        undo: () => setApart(false),
      });
    },
  };
}

function useEntryActions(type: NameType, { attempt, run }: Runner) {
  const params = (id: number) => ({ type, id: String(id) });
  const storedValues = (entry: NameRow, changes: Partial<NameChanges>) =>
    Object.fromEntries(Object.keys(changes).map((field) => [field, entry[field as keyof NameRow] ?? null]));
  return {
    /** @throws ApiError */
    save: (entry: NameRow, changes: Partial<NameChanges>): Promise<NameRow> =>
      attempt({
        act: () => call(contract.names.update, { params: params(entry.id), body: changes }),
        text: (saved) => named('saved', { name: saved }),
        undo: () => call(contract.names.update, { params: params(entry.id), body: storedValues(entry, changes) }),
      }),
    async confirm(entries: readonly Named[]): Promise<void> {
      await run({
        act: async () => {
          let sum = 0;
          for (const { id } of entries) sum += (await call(contract.names.confirm, { params: params(id) })).confirmed;
          return sum;
        },
        text: (sum) => named('confirmed', { count: sum }),
      });
    },
  };
}

/** Says how many of some entries could not be removed, and why. */
const partlyFailed =
  (failed: number, count: number, error: unknown): Message =>
  ({ t, vocabulary }) => {
    const reason = vocabulary.error(error);
    return count === 1 ? reason : t('partly', { ns: 'names', failed, count, reason });
  };

/** Removes entries one by one; says how many could not be removed, and why. */
function useRemove(type: NameType, { mutate, refresh, show, begin }: Runner) {
  return async (entries: readonly Named[]): Promise<void> => {
    const change = begin();
    const results = (await mutate(() =>
      Promise.allSettled(entries.map(({ id }) => call(contract.names.remove, { params: { type, id: String(id) } }))),
    )) as PromiseSettledResult<{ trash_id: number }>[];
    const removed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.trash_id] : []));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const restore = (): Promise<unknown> =>
      Promise.all(removed.map((id) => call(contract.trash.restore, { params: { id: String(id) } })));
    if (removed.length === 0) change.drop();
    else
      change.done({
        text: named('removed', { count: removed.length, name: entries[0] }),
        undo: () => restore().then(refresh),
      });
    if (failures.length > 0) show({ text: partlyFailed(failures.length, entries.length, failures[0]), tone: 'bad' });
    await refresh();
  };
}

function useAliasActions(type: NameType, { attempt, run }: Runner) {
  const params = (id: number) => ({ type, id: String(id) });
  const removeAlias = (aliasId: number) =>
    call(contract.names.removeAlias, { params: { type, alias_id: String(aliasId) } });
  return {
    /** @throws ApiError */
    addAlias: (entry: Named, alias: string, move = false) =>
      attempt({
        act: () => call(contract.names.addAlias, { params: params(entry.id), body: { alias, ...(move && { move }) } }),
        text: ({ moved_references }) =>
          move ? named('spelling_moved', { count: moved_references }) : named('spelling_added', { alias }),
        ...(!move && { undo: (added: { alias_id: number }) => removeAlias(added.alias_id) }),
      }),
    removeAlias: (entry: Named, { alias_id: aliasId, alias, language }: Alias): Promise<boolean> =>
      run({
        act: () => removeAlias(aliasId),
        text: () => named('spelling_removed', { alias }),
        undo: () => call(contract.names.addAlias, { params: params(entry.id), body: { alias, language } }),
      }),
  };
}
