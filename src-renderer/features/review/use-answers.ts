import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LabChanges, LabResult } from '../../../src-shared/contract/labs.ts';
import type { CallArguments } from '../../../src-shared/contract/endpoint.ts';
import type { PatientQuestion, ReviewAnswer } from '../../../src-shared/contract/review.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';
import type { Message } from '../../client/words.ts';
import type { Choice, Item } from './choices.ts';
import { isOtherValue } from './result-candidates.ts';

type Undo = (() => Promise<unknown>) | null;

/** Sends answers. The item of an answer is hidden at once, and shown again if the answer fails or is undone. */
export function useAnswers() {
  const client = useQueryClient();
  const { begin } = useToasts();
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const refresh = (): Promise<unknown> =>
    Promise.all(
      [cacheKeys.review, cacheKeys.documents, cacheKeys.today, cacheKeys.patients, cacheKeys.labs].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
  const showAgain = (key: string): void => setAnswered((keys) => new Set([...keys].filter((one) => one !== key)));

  async function answer(item: Item, choice: Exclude<Choice, { kind: 'split' | 'enter' }>): Promise<void> {
    setAnswered((keys) => new Set([...keys, item.key]));
    const change = begin();
    try {
      const undo = await send(item, choice);
      change.done({
        text: answerText(item, choice),
        ...(undo && {
          undo: () =>
            undo()
              .then(refresh)
              .then(() => showAgain(item.key)),
        }),
      });
      await refresh();
    } catch (error) {
      change.fail(error);
    }
    // What is still a question after the refresh was not answered.
    showAgain(item.key);
  }

  return { answered, answer };
}

/** Says what an answer did. */
function answerText(item: Item, choice: Choice): Message {
  const count = item.kind === 'patient' ? item.question.documents.length : 1;
  return ({ t, formats, testName }) => {
    const ns = 'review';
    if (choice.kind === 'assign') return t('filed', { ns, count, name: choice.name });
    if (item.kind === 'result' && (choice.kind === 'value' || choice.kind === 'unreadable')) {
      const name = testName(item.result);
      if (choice.kind === 'unreadable') return t('left_empty', { ns, name });
      return t('value_set', { ns, name, value: [choice.value_text, choice.unit ?? ''].join('\u202f').trim() });
    }
    if (choice.kind === 'add') return t('added', { ns, count, name: choice.name });
    if (choice.kind === 'restore') return t('restored', { ns, label: choice.label });
    if (choice.kind === 'read_new') return t('queued', { ns });
    return choice.kind === 'date' ? t('dated', { ns, date: formats.dateFull(choice.date) }) : t('reviewed', { ns });
  };
}

function send(item: Item, choice: Choice): Promise<Undo> {
  if (item.kind === 'patient') return decide(item.question, choice);
  return item.kind === 'result' ? correct(item.result, choice) : settle(item, choice);
}

/** Writes a value, or confirms the one that was read; returns what undoes it. */
async function correct(result: LabResult, choice: Choice): Promise<Undo> {
  const params = { id: String(result.id) };
  const { value, value_text, unit, is_abnormal, doubt, edited_fields } = result;
  const reopened = { doubt, edited_fields };
  const undo = (body: LabChanges) => (): Promise<unknown> =>
    call(contract.labs.update, { params, body: { ...body, reopened } });
  if (choice.kind === 'unreadable') {
    await call(contract.labs.update, { params, body: { value: null, value_text: null, confirmed: true } });
    return undo({ value, value_text, is_abnormal });
  }
  if (choice.kind !== 'value') return null;
  const isOther = isOtherValue(result, choice.value_text);
  const changes = {
    ...(isOther && { value_text: choice.value_text }),
    ...(choice.unit !== unit && { unit: choice.unit }),
  };
  await call(contract.labs.update, { params, body: { ...changes, confirmed: true } });
  return undo({ ...(isOther && { value, value_text, is_abnormal }), ...(choice.unit !== unit && { unit }) });
}

/** Answers whose documents these are; returns what undoes it. */
async function decide({ documents, chosen }: PatientQuestion, choice: Choice): Promise<Undo> {
  const document_ids = documents.map(({ id }) => id);
  const patient_id = chosen?.id ?? null;
  const send = (body: ReviewAnswer) =>
    call(contract.review.answer, { body } as CallArguments<typeof contract.review.answer>);
  if (choice.kind === 'assign') {
    await send({ answer: 'assign', document_ids, patient_id: choice.patientId });
    return () => send({ answer: 'reopen', document_ids, patient_id });
  }
  if (choice.kind !== 'add') return null;
  const reply = await send({
    answer: 'add_person',
    document_ids,
    display_name: choice.name,
    date_of_birth: choice.birth,
  });
  // Other documents, for which nobody was chosen, went to the new person, too.
  const others = reply.document_ids.filter((id) => !document_ids.includes(id));
  const remove_patient_id = reply.added_patient_id;
  return async () => {
    if (patient_id !== null && others.length > 0) {
      await send({ answer: 'reopen', document_ids, patient_id });
      await send({ answer: 'reopen', document_ids: others, patient_id: null, remove_patient_id });
    } else await send({ answer: 'reopen', document_ids: [...document_ids, ...others], patient_id, remove_patient_id });
  };
}

/** Answers a question about one document; returns what undoes it. */
async function settle({ document, asksRows }: Item & { kind: 'document' }, choice: Choice): Promise<Undo> {
  const { id, event_date, patient_id, review_reasons } = document;
  const params = { id: String(id) };
  if (choice.kind === 'date') {
    await call(contract.documents.update, { params, body: { event_date: choice.date } });
    return () => call(contract.documents.update, { params, body: { event_date } });
  }
  if (choice.kind === 'restore') return restoreInstead(id, choice.trashId);
  if (choice.kind === 'read_new') {
    await call(contract.documents.reprocess, { params, body: { mode: 'both' } });
    return null;
  }
  await call(contract.documents.markReviewed, { params, query: { rows: asksRows ? 'without_rows' : 'with_rows' } });
  const document_ids = [id];
  const wasAssumed = review_reasons.some(({ code }) => code === 'patient_assumed');
  return async () => {
    if (wasAssumed) await call(contract.review.answer, { body: { answer: 'reopen', document_ids, patient_id } });
    await call(contract.review.answer, { body: { answer: 'reopen_review', document_ids } });
  };
}

/** Deletes a document and restores the one that was deleted before, which has the same content. */
async function restoreInstead(id: number, trashId: number): Promise<Undo> {
  const restore = (item: number) => call(contract.trash.restore, { params: { id: String(item) } });
  const remove = async (document: number): Promise<number> =>
    (await call(contract.documents.remove, { params: { id: String(document) } })).trash_id;
  const own = await remove(id);
  try {
    const { document_ids: restored } = await restore(trashId);
    const [only] = restored;
    if (only === undefined || restored.length > 1) return null;
    return async () => {
      await remove(only);
      await restore(own);
    };
  } catch (error) {
    await restore(own);
    throw error;
  }
}
