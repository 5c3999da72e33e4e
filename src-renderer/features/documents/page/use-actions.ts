import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { addressOf, call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { sendFile } from '../../../client/upload.ts';
import { useToasts } from '../../../ui/toasts.tsx';
import { documentKey } from './queries.ts';

interface Action {
  act: () => Promise<unknown>;
  text: string;
  undo?: () => Promise<unknown>;
  leave?: boolean;
}

export type DocumentActions = ReturnType<typeof useActions>;

/** What can be done with the whole document. */
export function useActions(id: number, document: DocumentDetail | undefined) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { show } = useToasts();
  const params = { id: String(id) };
  const refresh = (): void => {
    for (const queryKey of [cacheKeys.documents, cacheKeys.labs, cacheKeys.today, cacheKeys.trash, cacheKeys.pipeline])
      void client.invalidateQueries({ queryKey });
  };
  const run = useMutation({
    mutationFn: ({ act }: Action) => act(),
    onSuccess: (_, { text, undo, leave }) => {
      refresh();
      show({
        text,
        ...(undo && {
          undo: () => undo().then(refresh, (error: unknown) => show({ text: vocabulary.error(error), tone: 'bad' })),
        }),
      });
      if (leave) void navigate({ to: '/documents' });
    },
    onError: (error) => show({ text: vocabulary.error(error), tone: 'bad' }),
  });
  return {
    busy: run.isPending,
    download: addressOf(contract.documents.file, { params: { id }, query: { download: '1' } }),
    rotate: (page: number, degrees: 90 | -90) =>
      run.mutate({
        act: () => call(contract.documents.rotate, { params, body: { degrees, pages: [page] } }),
        text: t('queued'),
      }),
    reprocess: () =>
      run.mutate({
        act: () => call(contract.documents.reprocess, { params, body: { mode: 'both' } }),
        text: t('queued'),
      }),
    cancel: () =>
      run.mutate({ act: () => call(contract.documents.cancel, { params }), text: vocabulary.status('cancelled') }),
    markReviewed: () =>
      run.mutate({ act: () => call(contract.documents.markReviewed, { params }), text: t('reviewed') }),
    rename: (filename: string) =>
      run.mutate({
        act: () => call(contract.documents.rename, { params, body: { filename } }),
        text: t('renamed'),
        ...(document && {
          undo: () => call(contract.documents.rename, { params, body: { filename: document.original_filename } }),
        }),
      }),
    move: (patient: number, name: string) =>
      run.mutate({
        act: () => call(contract.documents.move, { params, body: { patient_id: patient } }),
        text: t('moved', { name }),
        ...(document && {
          undo: () => call(contract.documents.update, { params, body: { patient_id: document.patient_id } }),
        }),
      }),
    /** Into the trash; its results go along, or stay with the patient. */
    remove(fate: 'with_results' | 'keep_results' = 'with_results') {
      let trashId = 0;
      run.mutate({
        act: async () => {
          trashId = (
            await call(contract.documents.remove, {
              params,
              query: { keep_results: fate === 'keep_results' ? 'true' : undefined },
            })
          ).trash_id;
        },
        text: t('removed', { name: document?.original_filename ?? '' }),
        leave: true,
        undo: async () => {
          await call(contract.trash.restore, { params: { id: String(trashId) } });
          await navigate({ to: '/documents/$id', params });
        },
      });
    },
    replace: (file: File) =>
      run.mutate({
        act: async () =>
          client.setQueryData(
            documentKey(id),
            await sendFile<DocumentDetail>(
              addressOf(contract.documents.replaceFile, { params: { id } }),
              contract.documents.replaceFile.file,
              file,
              () => undefined,
            ),
          ),
        text: t('replaced'),
      }),
    relink: (path: string) =>
      run.mutate({
        act: () => call(contract.documents.relink, { params, body: { vault_path: path } }),
        text: t('relinked'),
      }),
  };
}
