import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EventChanges, EventDetail } from '../../../src-shared/contract/events.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useTitles } from '../../client/document-title.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useRestore } from '../../client/restore.ts';
import { useToasts } from '../../ui/toasts.tsx';

/** The fields of an event form. */
export type EventDraft = Omit<EventChanges, 'title' | 'patient_id'> & { title: string };

const idParams = (id: number) => ({ id: String(id) });

interface SaveInput {
  event: EventDetail | null;
  patient: number;
  draft: EventDraft;
}

/** Creates or updates an event and returns its id. */
async function saveEvent({ event, patient, draft }: SaveInput): Promise<number> {
  if (event === null) return (await call(contract.events.create, { body: { ...draft, patient_id: patient } })).id;
  await call(contract.events.update, { params: idParams(event.id), body: draft });
  return event.id;
}

/** Creates, changes and deletes events, each with Undo. */
export function useEventActions() {
  const { t } = useTranslation('timeline');
  const { showUndo, showError } = useUndoToast();
  const restore = useRestore();
  const titles = useTitles();
  const save = useMutation({
    mutationFn: saveEvent,
    onSuccess: (id, { event, draft }) =>
      showUndo(t(event ? 'saved' : 'created', { title: draft.title }), () =>
        event
          ? call(contract.events.update, { params: idParams(id), body: draftOf(event) })
          : call(contract.events.remove, { params: idParams(id) }),
      ),
  });
  const remove = useMutation({
    mutationFn: ({ event, documents }: { event: EventDetail; documents: boolean }) =>
      call(contract.events.remove, {
        params: idParams(event.id),
        query: { delete_documents: documents ? 'true' : 'false' },
      }),
    onSuccess: ({ trash_id }, { event }) => showUndo(t('removed', { title: event.title }), () => restore(trash_id)),
    onError: showError,
  });
  const takeOut = useMutation({
    mutationFn: ({ event, document }: { event: EventDetail; document: EventDetail['documents'][number] }) =>
      call(contract.events.unlink, { params: { id: String(event.id), doc_id: String(document.id) } }),
    onSuccess: (_, { event, document }) =>
      showUndo(t('taken_out', { name: titles.title(document) }), () =>
        call(contract.events.link, {
          params: idParams(event.id),
          body: { document_id: document.id, relevance: document.relevance },
        }),
      ),
    onError: showError,
  });
  return { save, remove, takeOut };
}

/** Reloads everything that depends on events, and offers to undo the change. */
function useUndoToast() {
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const refresh = (): void => {
    for (const queryKey of [cacheKeys.events, cacheKeys.timeline, cacheKeys.documents, cacheKeys.trash])
      void client.invalidateQueries({ queryKey });
  };
  const showError = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const showUndo = (text: string, undo: () => Promise<unknown>): void => {
    refresh();
    show({ text, undo: () => undo().then(refresh, showError) });
  };
  return { showUndo, showError };
}

/** The form fields of an existing event. */
export function draftOf({
  title,
  event_type,
  description,
  date_start,
  date_end,
  is_ongoing,
  severity,
  diagnosis_text,
  icd10_code,
  specialty_text,
  notes,
  color,
}: EventDetail): EventDraft {
  return {
    title,
    event_type,
    description,
    date_start,
    date_end: is_ongoing ? null : date_end,
    is_ongoing,
    severity,
    diagnosis_text,
    icd10_code,
    specialty_text,
    notes,
    color,
  };
}
