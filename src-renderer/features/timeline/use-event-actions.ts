import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EventChanges, EventDetail } from '../../../src-shared/contract/events.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useRestore } from '../../client/restore.ts';
import { useToasts } from '../../ui/toasts.tsx';

/** What a person writes into the form of an event. */
export type EventDraft = Omit<EventChanges, 'title' | 'patient_id'> & { title: string };

/** Creates, changes and deletes events, each with its undo. */
export function useEventActions() {
  const { t } = useTranslation('timeline');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const restore = useRestore();
  const refresh = (): void => {
    for (const queryKey of [cacheKeys.events, cacheKeys.timeline, cacheKeys.documents, cacheKeys.trash])
      void client.invalidateQueries({ queryKey });
  };
  const failed = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const undoable = (text: string, undo: () => Promise<unknown>): void => {
    refresh();
    show({ text, undo: () => undo().then(refresh, failed) });
  };
  const params = (id: number) => ({ id: String(id) });

  const save = useMutation({
    mutationFn: async ({
      event,
      patient,
      draft,
    }: {
      event: EventDetail | null;
      patient: number;
      draft: EventDraft;
    }): Promise<number> => {
      if (event === null) return (await call(contract.events.create, { body: { ...draft, patient_id: patient } })).id;
      await call(contract.events.update, { params: params(event.id), body: draft });
      return event.id;
    },
    onSuccess: (id, { event, draft }) =>
      undoable(t(event ? 'saved' : 'created', { title: draft.title }), () =>
        event
          ? call(contract.events.update, { params: params(id), body: draftOf(event) })
          : call(contract.events.remove, { params: params(id) }),
      ),
  });
  const remove = useMutation({
    mutationFn: ({ event, documents }: { event: EventDetail; documents: boolean }) =>
      call(contract.events.remove, {
        params: params(event.id),
        query: { delete_documents: documents ? 'true' : 'false' },
      }),
    onSuccess: ({ trash_id }, { event }) => undoable(t('removed', { title: event.title }), () => restore(trash_id)),
    onError: failed,
  });
  const takeOut = useMutation({
    mutationFn: ({ event, document }: { event: EventDetail; document: EventDetail['documents'][number] }) =>
      call(contract.events.unlink, { params: { id: String(event.id), doc_id: String(document.id) } }),
    onSuccess: (_, { event, document }) =>
      undoable(t('taken_out', { name: document.original_filename }), () =>
        call(contract.events.link, {
          params: params(event.id),
          body: { document_id: document.id, relevance: document.relevance },
        }),
      ),
    onError: failed,
  });
  return { save, remove, takeOut };
}

/** The fields of an event as its form holds them. */
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
