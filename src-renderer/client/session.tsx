import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** Who is signed in; undefined while it is being asked. */
export function useMe() {
  return useQuery({
    queryKey: cacheKeys.me,
    queryFn: ({ signal }) => call(contract.auth.me, {}, signal),
    staleTime: 5 * 60_000,
  }).data;
}

/** May the person change documents at all. */
export const useMayEdit = (): boolean => (useMe()?.role ?? 'viewer') !== 'viewer';

/** Patients that the person may see, by name. */
export function usePatients() {
  return (
    useQuery({
      queryKey: cacheKeys.patients,
      queryFn: ({ signal }) => call(contract.patients.list, {}, signal),
      staleTime: 60_000,
    }).data ?? []
  );
}

/** Ends the session on the server and forgets everything that was shown. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await call(contract.auth.logout, {});
    client.clear();
    location.assign('/login');
  };
}
