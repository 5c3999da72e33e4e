import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DocumentChanges } from '../../../../src-shared/contract/documents.ts';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import type { BBox } from '../../../../src-shared/medical/page.ts';
import { addressOf, call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { undoMove } from '../../../client/undo-move.ts';
import { sendFile } from '../../../client/upload.ts';
import { useToasts } from '../../../client/toasts.tsx';
import type { Message } from '../../../client/words.ts';
import { documentKey } from './queries.ts';

interface Action {
  act: () => Promise<unknown>;
  text: Message;
  undo?: () => Promise<unknown>;
  /** Whether to return to the document list afterwards. */
  leave?: boolean;
}

export type DocumentActions = ReturnType<typeof useActions>;

/** The actions on the whole document. */
export function useActions(id: number, document: DocumentDetail | undefined) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { run, isBusy } = useDocumentMutation();
  const params = { id: String(id) };
  const queue = (act: () => Promise<unknown>): void => run({ act, text: ({ t }) => t('queued', { ns: 'document' }) });
  return {
    busy: isBusy,
    download: addressOf(contract.documents.file, { params: { id }, query: { download: '1' } }),
    rotate: (page: number, degrees: 90 | -90) =>
      queue(() => call(contract.documents.rotate, { params, body: { degrees, pages: [page] } })),
    reprocess: () => queue(() => call(contract.documents.reprocess, { params, body: { mode: 'both' } })),
    translate: () =>
      run({
        act: () => call(contract.translations.translate, { params, body: {} }),
        text: ({ t }) => t('translation_queued', { ns: 'document' }),
      }),
    /** Translates a part of a page; `bbox` is in fractions of the page. */
    translateRegion: (page: number, [x, y, w, h]: BBox) =>
      run({
        act: () => call(contract.translations.translateRegion, { params, body: { page, bbox: { x, y, w, h } } }),
        text: ({ t }) => t('translation_queued', { ns: 'document' }),
      }),
    /** Changes details at once; `undo` restores them. */
    apply: (body: DocumentChanges, undo: DocumentChanges) =>
      run({
        act: () => call(contract.documents.update, { params, body }),
        text: ({ t }) => t('words_applied', { ns: 'document' }),
        undo: () => call(contract.documents.update, { params, body: undo }),
      }),
    cancel: () =>
      run({
        act: () => call(contract.documents.cancel, { params }),
        text: ({ vocabulary }) => vocabulary.status('cancelled'),
      }),
    markReviewed: () =>
      run({
        act: () => call(contract.documents.markReviewed, { params }),
        text: ({ t }) => t('reviewed', { ns: 'document' }),
      }),
    rename(filename: string): void {
      const setName = (name: string) => call(contract.documents.rename, { params, body: { filename: name } });
      run({
        act: () => setName(filename),
        text: ({ t }) => t('renamed', { ns: 'document' }),
        ...(document && { undo: () => setName(document.original_filename) }),
      });
    },
    move(patient: number, name: string): void {
      run({
        act: () => call(contract.documents.move, { params, body: { patient_id: patient } }),
        text: ({ t }) => t('moved', { ns: 'document', name }),
        ...(document && { undo: () => undoMove(document) }),
      });
    },
    /** Moves the document to the trash; its results are moved with it, or stay with the patient. */
    remove(fate: 'with_results' | 'keep_results' = 'with_results'): void {
      const open = () => navigate({ to: '/documents/$id', params });
      run({
        ...removal(id, fate, open),
        text: ({ t, titles }) => t('removed', { ns: 'document', name: document ? titles.title(document) : '' }),
        leave: true,
      });
    },
    replace: (file: File) =>
      run({
        act: async () => client.setQueryData(documentKey(id), await replaceFile(id, file)),
        text: ({ t }) => t('replaced', { ns: 'document' }),
      }),
    /** Uploads the report of an imaging study and opens it in the place of the document that waited for it. */
    attachReport(study: number, report: File): void {
      const of = { id: String(study) };
      const show = (shown: number) => navigate({ to: '/documents/$id', params: { id: String(shown) } });
      run({
        act: async () => show((await sendReport(study, report)).document_id),
        text: ({ t }) => t('study_attached', { ns: 'document' }),
        undo: async () => show((await call(contract.imaging.detachReport, { params: of })).placeholder_document_id),
      });
    },
    relink: (path: string) =>
      run({
        act: () => call(contract.documents.relink, { params, body: { vault_path: path } }),
        text: ({ t }) => t('relinked', { ns: 'document' }),
      }),
  };
}

/** Runs an action, reloads everything it may have changed, and shows a toast, with Undo if the action has one. */
function useDocumentMutation(): { run: (action: Action) => void; isBusy: boolean } {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { begin } = useToasts();
  const refresh = (): void => {
    for (const queryKey of [cacheKeys.documents, cacheKeys.labs, cacheKeys.today, cacheKeys.trash, cacheKeys.pipeline])
      void client.invalidateQueries({ queryKey });
  };
  const { mutate, isPending } = useMutation({
    mutationFn: ({ act }: Action) => act(),
    onMutate: begin,
    onSuccess: (_, { text, undo, leave }, change) => {
      refresh();
      change.done({ text, ...(undo && { undo: () => undo().then(refresh) }) });
      if (leave) void navigate({ to: '/documents' });
    },
    onError: (error, _, change) => change?.fail(error),
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

const sendReport = (study: number, report: File): Promise<Reply<typeof contract.imaging.attachReport>> =>
  sendFile(
    addressOf(contract.imaging.attachReport, { params: { id: study } }),
    contract.imaging.attachReport.file,
    report,
    () => undefined,
  );

const replaceFile = (id: number, file: File): Promise<DocumentDetail> =>
  sendFile<DocumentDetail>(
    addressOf(contract.documents.replaceFile, { params: { id } }),
    contract.documents.replaceFile.file,
    file,
    () => undefined,
  );
