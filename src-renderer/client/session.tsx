import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** The signed-in user; undefined while loading. */
export function useMe() {
  return useQuery({
    queryKey: cacheKeys.me,
    queryFn: ({ signal }) => call(contract.auth.me, {}, signal),
    staleTime: 5 * 60_000,
  }).data;
}

/** Whether the user may change documents. */
export const useMayEdit = (): boolean => (useMe()?.role ?? 'viewer') !== 'viewer';

/** The patients that the user may see, sorted by name. */
export function usePatients() {
  return (
    useQuery({
      queryKey: cacheKeys.patients,
      queryFn: ({ signal }) => call(contract.patients.list, {}, signal),
      staleTime: 60_000,
    }).data ?? []
  );
}

/** Whether the user may share documents of a patient: of those whom they own; administrators of every one. */
export function useMayShare(): (patientId: number) => boolean {
  const me = useMe();
  const patients = usePatients();
  return (patientId) =>
    me?.role === 'admin' ||
    (me?.role === 'editor' && patients.some(({ id, role }) => id === patientId && role === 'owner'));
}

/** Whether the page shows all people: none is chosen, and there are several. */
export function useIsEveryone(): boolean {
  const selected = useSearch({ strict: false }).patient;
  return usePatients().length > 1 && selected === undefined;
}

/** Ends the session on the server and clears the cache. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await call(contract.auth.logout, {});
    client.clear();
    location.assign('/login');
  };
}
