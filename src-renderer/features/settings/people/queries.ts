import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { User } from '../../../../src-shared/contract/users.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useToasts } from '../../../ui/toasts.tsx';

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
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const refresh = useRefresh();
  const { show } = useToasts();
  const send = (userId: number, patientId: number, role: Grant): Promise<unknown> =>
    role === 'none'
      ? call(contract.users.revoke, { params: { id: String(userId), patient_id: String(patientId) } })
      : call(contract.users.grant, { params: { id: String(userId) }, body: { patient_id: patientId, role } });
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  return useMutation({
    mutationFn: ({ user, patient, role }: { user: User; patient: Matrix['patients'][number]; role: Grant }) =>
      send(user.id, patient.id, role),
    onMutate: ({ user, patient, role }) => {
      const before = client.getQueryData<Matrix>(cacheKeys.people);
      if (before) client.setQueryData(cacheKeys.people, withGrant(before, user.id, patient.id, role));
      return before;
    },
    onSuccess: (_, { user, patient, role }, before) => {
      const previousRole = before ? grantOf(before, user.id, patient.id) : 'none';
      const undo = () => send(user.id, patient.id, previousRole).then(refresh, showError);
      show({ text: t(`granted_${role}`, { user: user.display_name, patient: patient.display_name }), undo: undo });
    },
    onError: (error, _, before) => {
      client.setQueryData(cacheKeys.people, before);
      showError(error);
    },
    onSettled: refresh,
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
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const refresh = useRefresh();
  const { show } = useToasts();
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
      show({ text: t(user ? 'user_changed' : 'user_added', { name: saved.display_name }) });
    },
  });
  const remove = useMutation({
    mutationFn: (user: User) => call(contract.users.remove, { params: { id: String(user.id) } }),
    onSuccess: (_, user) => {
      refresh();
      show({ text: t('user_removed', { name: user.display_name }) });
    },
    onError: (error) => show({ text: vocabulary.error(error), tone: 'bad' }),
  });
  return { save, remove };
}
