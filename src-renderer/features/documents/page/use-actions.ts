import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { addressOf, call, contract } from '../../../client/api.ts';
import { useTitles } from '../../../client/document-title.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { undoMove } from '../../../client/undo-move.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { sendFile } from '../../../client/upload.ts';
import { useToasts } from '../../../ui/toasts.tsx';
import { documentKey } from './queries.ts';

interface Action {
  act: () => Promise<unknown>;
  text: string;
  undo?: () => Promise<unknown>;
  /** Whether to return to the document list afterwards. */
  leave?: boolean;
}

export type DocumentActions = ReturnType<typeof useActions>;

/** The actions on the whole document. */
export function useActions(id: number, document: DocumentDetail | undefined) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const titles = useTitles();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { run, isBusy } = useDocumentMutation();
  const params = { id: String(id) };
  const queue = (act: () => Promise<unknown>): void => run({ act, text: t('queued') });
  return {
    busy: isBusy,
    download: addressOf(contract.documents.file, { params: { id }, query: { download: '1' } }),
    rotate: (page: number, degrees: 90 | -90) =>
      queue(() => call(contract.documents.rotate, { params, body: { degrees, pages: [page] } })),
    reprocess: () => queue(() => call(contract.documents.reprocess, { params, body: { mode: 'both' } })),
    cancel: () => run({ act: () => call(contract.documents.cancel, { params }), text: vocabulary.status('cancelled') }),
    markReviewed: () => run({ act: () => call(contract.documents.markReviewed, { params }), text: t('reviewed') }),
    rename(filename: string): void {
      const setName = (name: string) => call(contract.documents.rename, { params, body: { filename: name } });
      run({
        act: () => setName(filename),
        text: t('renamed'),
        ...(document && { undo: () => setName(document.original_filename) }),
      });
    },
    move(patient: number, name: string): void {
      run({
        act: () => call(contract.documents.move, { params, body: { patient_id: patient } }),
        text: t('moved', { name }),
        ...(document && { undo: () => undoMove(document) }),
      });
    },
    /** Moves the document to the trash; its results are moved with it, or stay with the patient. */
    remove(fate: 'with_results' | 'keep_results' = 'with_results'): void {
      const open = () => navigate({ to: '/documents/$id', params });
      run({
        ...removal(id, fate, open),
        text: t('removed', { name: document ? titles.title(document) : '' }),
        leave: true,
      });
    },
    replace: (file: File) =>
      run({
        act: async () => client.setQueryData(documentKey(id), await replaceFile(id, file)),
        text: t('replaced'),
      }),
    relink: (path: string) =>
      run({
        act: () => call(contract.documents.relink, { params, body: { vault_path: path } }),
        text: t('relinked'),
      }),
  };
}

/** Runs an action, reloads everything it may have changed, and shows a toast, with Undo if the action has one. */
function useDocumentMutation(): { run: (action: Action) => void; isBusy: boolean } {
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { show } = useToasts();
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const refresh = (): void => {
    for (const queryKey of [cacheKeys.documents, cacheKeys.labs, cacheKeys.today, cacheKeys.trash, cacheKeys.pipeline])
      void client.invalidateQueries({ queryKey });
  };
  const { mutate, isPending } = useMutation({
    mutationFn: ({ act }: Action) => act(),
    onSuccess: (_, { text, undo, leave }) => {
      refresh();
      show({ text, ...(undo && { undo: () => undo().then(refresh, showError) }) });
      if (leave) void navigate({ to: '/documents' });
    },
    onError: showError,
  });
  return { run: (action) => mutate(action), isBusy: isPending };
}

/** Deletes the document; undo restores it from the trash and opens it again. */
function removal(
  id: number,
  fate: 'with_results' | 'keep_results',
  open: () => Promise<unknown>,
): { act: () => Promise<void>; undo: () => Promise<void> } {
  let trashId = 0;
  return {
    act: async () => {
      const query = { keep_results: fate === 'keep_results' ? 'true' : undefined } as const;
      trashId = (await call(contract.documents.remove, { params: { id: String(id) }, query })).trash_id;
    },
    undo: async () => {
      await call(contract.trash.restore, { params: { id: String(trashId) } });
      await open();
    },
  };
}

const replaceFile = (id: number, file: File): Promise<DocumentDetail> =>
  sendFile<DocumentDetail>(
    addressOf(contract.documents.replaceFile, { params: { id } }),
    contract.documents.replaceFile.file,
    file,
    () => undefined,
  );
