import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';
import { nameOf, parentOf } from './places.ts';

const folderQuery = (path: string) => ({
  queryKey: [...cacheKeys.vaultTree, path],
  placeholderData: (before: VaultEntry | undefined) => before,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(contract.vaultFiles.tree, { query: { depth: '1', ...(path !== '' && { path }) } }, signal),
});

/** The root and each open folder with its direct contents. */
export function useFolders(open: readonly string[]) {
  const root = useQuery(folderQuery(''));
  const folders = useQueries({ queries: open.map(folderQuery) });
  const byPath = new Map(open.map((path, index) => [path, folders[index]?.data]));
  return { root, childrenOf: (path: string): readonly VaultEntry[] | null => byPath.get(path)?.children ?? null };
}

/** The whole tree, for files without a document and for the choice of a folder. */
export const useWholeTree = (enabled: boolean) =>
  useQuery({
    queryKey: [...cacheKeys.vaultTree, 'whole'],
    enabled,
    queryFn: ({ signal }) => call(contract.vaultFiles.tree, {}, signal),
  });

export const useCheck = () =>
  useQuery({
    queryKey: cacheKeys.vaultCheck,
    queryFn: ({ signal }) => call(contract.vaultFiles.check, {}, signal),
    refetchInterval: ({ state }) => (state.data?.check?.status === 'running' ? 2000 : false),
  });

export function useCheckAct(onFailed: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: 'startCheck' | 'stopCheck') => call(contract.vaultFiles[what], {}),
    onSuccess: (state) => client.setQueryData(cacheKeys.vaultCheck, state),
    onError: onFailed,
  });
}

/** Moves and deletes files, each with Undo. */
export function useFileActions() {
  const client = useQueryClient();
  const { show, begin } = useToasts();
  const refresh = (): void => {
    for (const queryKey of [cacheKeys.vaultTree, cacheKeys.documents, cacheKeys.trash])
      void client.invalidateQueries({ queryKey });
  };
  const send = (from: string, to: string) => call(contract.vaultFiles.move, { body: { from_path: from, to_path: to } });
  const move = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) => send(from, to),
    onMutate: begin,
    onSuccess: ({ from, to }, _, change) => {
      refresh();
      if (from === to) return change.drop();
      const back = async (): Promise<void> => {
        await send(to, from);
        refresh();
        show({ text: ({ t }) => t('moved_back', { ns: 'vault_files', name: nameOf(from) }) });
      };
      change.done({
        text: ({ t }) => t('moved', { ns: 'vault_files', name: nameOf(to), folder: parentOf(to) }),
        undo: back,
      });
    },
    onError: (error, _, change) => change?.fail(error),
  });
  const remove = useMutation({
    mutationFn: (path: string) => call(contract.vaultFiles.remove, { query: { path } }),
    onMutate: begin,
    onSuccess: ({ path, trash_id }, _, change) => {
      refresh();
      change.done({
        text: ({ t }) => t('removed', { ns: 'vault_files', name: nameOf(path) }),
        undo: () => call(contract.trash.restore, { params: { id: String(trash_id) } }).then(refresh),
      });
    },
    onError: (error, _, change) => change?.fail(error),
  });
  return { move, remove };
}
