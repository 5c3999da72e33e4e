import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ArchiveImport } from '../../../src-shared/contract/archive-imports.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';

/** Poll interval in ms while an import is worked on. */
const POLL_MS = 1000;
const BUSY: ReadonlySet<ArchiveImport['status']> = new Set(['scanning', 'running', 'undoing']);
export const isBusy = ({ status }: ArchiveImport): boolean => BUSY.has(status);

export const useImports = () =>
  useQuery({
    queryKey: cacheKeys.imports,
    queryFn: ({ signal }) => call(contract.archiveImports.list, {}, signal),
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? POLL_MS : false),
  });

/** What can't be imported; asked anew when more of it was found. */
export const useProblems = ({ id, counts }: ArchiveImport) =>
  useQuery({
    queryKey: [...cacheKeys.imports, id, 'problems', counts.refused],
    queryFn: ({ signal }) =>
      call(
        contract.archiveImports.items,
        { params: { id: String(id) }, query: { status: 'refused', limit: '20' } },
        signal,
      ),
    enabled: counts.refused > 0,
  });

export function useBegin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { path: string; patient_id: number }) => call(contract.archiveImports.begin, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: cacheKeys.imports }),
  });
}

export function useImportAction(onFailed: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, act }: { id: number; act: 'run' | 'stop' | 'undo' | 'remove' }): Promise<void> => {
      await call(contract.archiveImports[act], { params: { id: String(id) } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: cacheKeys.imports }),
    onError: onFailed,
  });
}
