import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';
import { readPreference, storePreference } from './storage.ts';

const NAME = 'patient';

/** Remembers on this computer that everyone was chosen. */
export const forgetPatient = (): void => storePreference(NAME, '');

/** Remembers the patient of the address on this computer. */
export function useRememberPatient(patient: string | undefined): void {
  useEffect(() => {
    if (patient !== undefined) storePreference(NAME, patient);
  }, [patient]);
}

/** The patient who was shown last on this computer, if the user may see them and others; otherwise null. */
export async function lastPatient(client: QueryClient): Promise<string | null> {
  const patient = readPreference(NAME);
  if (!patient) return null;
  const patients = await client
    .ensureQueryData({
      queryKey: cacheKeys.patients,
      queryFn: () => call(contract.patients.list, {}),
      staleTime: 60_000,
    })
    .catch(() => []);
  return patients.length > 1 && patients.some(({ id }) => String(id) === patient) ? patient : null;
}
