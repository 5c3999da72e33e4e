import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EventChanges, EventDetail } from '../../../src-shared/contract/events.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useRestore } from '../../client/restore.ts';
import type { PendingChange } from '../../client/toast-store.ts';
import { useToasts } from '../../client/toasts.tsx';
import type { Message } from '../../client/words.ts';

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
  const { begin } = useToasts();
  const showUndo = useUndoToast();
  const restore = useRestore();
  const save = useMutation({
    mutationFn: saveEvent,
    onMutate: begin,
    onError: (_, __, change) => change?.drop(),
    onSuccess: (id, { event, draft: { title } }, change) =>
      showUndo(
        change,
        ({ t }) => t(event ? 'saved' : 'created', { ns: 'timeline', title }),
        () =>
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
    onMutate: begin,
    onSuccess: ({ trash_id }, { event: { title } }, change) =>
      showUndo(
        change,
        ({ t }) => t('removed', { ns: 'timeline', title }),
        () => restore(trash_id),
      ),
    onError: (error, _, change) => change?.fail(error),
  });
  const takeOut = useMutation({
    mutationFn: ({ event, document }: { event: EventDetail; document: EventDetail['documents'][number] }) =>
      call(contract.events.unlink, { params: { id: String(event.id), doc_id: String(document.id) } }),
    onMutate: begin,
    onSuccess: (_, { event, document }, change) =>
      showUndo(
        change,
        ({ t, titles }) => t('taken_out', { ns: 'timeline', name: titles.title(document) }),
        () =>
          call(contract.events.link, {
            params: idParams(event.id),
            body: { document_id: document.id, relevance: document.relevance },
          }),
      ),
    onError: (error, _, change) => change?.fail(error),
  });
  return { save, remove, takeOut };
}

/** Reloads everything that depends on events, and offers to undo the change. */
function useUndoToast(): (change: PendingChange, text: Message, undo: () => Promise<unknown>) => void {
  const client = useQueryClient();
  const refresh = (): void => {
    for (const queryKey of [cacheKeys.events, cacheKeys.timeline, cacheKeys.documents, cacheKeys.trash])
      void client.invalidateQueries({ queryKey });
  };
  return (change, text, undo) => {
    refresh();
    change.done({ text, undo: () => undo().then(refresh) });
  };
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
