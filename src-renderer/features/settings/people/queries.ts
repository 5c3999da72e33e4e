import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { User } from '../../../../src-shared/contract/users.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useToasts } from '../../../client/toasts.tsx';

export type Matrix = Reply<typeof contract.users.matrix>;
export type Grant = 'none' | 'viewer' | 'owner';

export const useMatrix = () =>
  useQuery({ queryKey: cacheKeys.people, queryFn: ({ signal }) => call(contract.users.matrix, {}, signal) });

export const grantOf = ({ grants }: Matrix, userId: number, patientId: number): Grant =>
  grants.find((grant) => grant.user_id === userId && grant.patient_id === patientId)?.role ?? 'none';

/** The matrix with one cell changed. */
export function withGrant(matrix: Matrix, userId: number, patientId: number, role: Grant): Matrix {
  const others = matrix.grants.filter((grant) => grant.user_id !== userId || grant.patient_id !== patientId);
  return {
    ...matrix,
    grants: role === 'none' ? others : [...others, { user_id: userId, patient_id: patientId, role }],
  };
}

function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [
      cacheKeys.people,
      cacheKeys.me,
      cacheKeys.patients,
      cacheKeys.documents,
      cacheKeys.today,
      cacheKeys.sessions,
    ])
      void client.invalidateQueries({ queryKey });
  };
}

/** Grants, changes or revokes access. The update is optimistic and rolled back on failure. */
export function useGrant() {
  const client = useQueryClient();
  const refresh = useRefresh();
  const { begin } = useToasts();
  const send = (userId: number, patientId: number, role: Grant): Promise<unknown> =>
    role === 'none'
      ? call(contract.users.revoke, { params: { id: String(userId), patient_id: String(patientId) } })
      : call(contract.users.grant, { params: { id: String(userId) }, body: { patient_id: patientId, role } });
  const mutationKey = ['grant'];
  return useMutation({
    mutationKey,
    mutationFn: ({ user, patient, role }: { user: User; patient: Matrix['patients'][number]; role: Grant }) =>
      send(user.id, patient.id, role),
    onMutate: async ({ user, patient, role }) => {
      // An answer asked for earlier would show the access before this change.
      await client.cancelQueries({ queryKey: cacheKeys.people });
      const before = client.getQueryData<Matrix>(cacheKeys.people);
      if (before) client.setQueryData(cacheKeys.people, withGrant(before, user.id, patient.id, role));
      return { before, change: begin() };
    },
    onSuccess: (_, { user, patient, role }, { before, change }) => {
      const previousRole = before ? grantOf(before, user.id, patient.id) : 'none';
      const names = { user: user.display_name, patient: patient.display_name };
      change.done({
        text: ({ t }) => t(`granted_${role}`, { ns: 'settings', ...names }),
        undo: () => send(user.id, patient.id, previousRole).then(refresh),
      });
    },
    onError: (error, _, context) => {
      client.setQueryData(cacheKeys.people, context?.before);
      context?.change.fail(error);
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) refresh();
    },
  });
}

export interface UserDraft {
  username: string;
  display_name: string;
  password: string;
  role: User['role'];
}

/** Creates, changes and removes accounts. */
export function useUserActions(onSaved: () => void) {
  const refresh = useRefresh();
  const { show, showError } = useToasts();
  const save = useMutation({
    mutationFn: ({
      user,
      draft: { username, display_name, password, role },
    }: {
      user: User | null;
      draft: UserDraft;
    }) =>
      user
        ? call(contract.users.update, {
            params: { id: String(user.id) },
            body: {
              ...(display_name !== user.display_name && { display_name }),
              ...(role !== user.role && { role }),
              ...(password !== '' && { password }),
            },
          })
        : call(contract.users.create, {
            body: { username, password, role, ...(display_name !== '' && { display_name }) },
          }),
    onSuccess: (saved, { user }) => {
      refresh();
      onSaved();
      const key = user ? 'user_changed' : 'user_added';
      show({ text: ({ t }) => t(key, { ns: 'settings', name: saved.display_name }) });
    },
  });
  const remove = useMutation({
    mutationFn: (user: User) => call(contract.users.remove, { params: { id: String(user.id) } }),
    onSuccess: (_, user) => {
      refresh();
      show({ text: ({ t }) => t('user_removed', { ns: 'settings', name: user.display_name }) });
    },
    onError: showError,
  });
  return { save, remove };
}
