import { coreLanguage } from '../../../src-shared/contract/core-languages.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatMessage } from '../../../src-shared/contract/chat.ts';
import { call, callInParts, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';

/** A question with its answer; `answer` is null while Hearth looks it up. */
export interface Exchange {
  id: number;
  question: string;
  answer: ChatMessage | null;
}

const historyKey = (patient: number) => [...cacheKeys.chat, 'history', patient] as const;

/** Questions of the user about a patient, oldest first. */
export function useHistory(patient: number) {
  return useQuery({
    queryKey: historyKey(patient),
    queryFn: async ({ signal }): Promise<Exchange[]> => {
      const query = { patient_id: String(patient) };
      return pair((await call(contract.chat.history, { query }, signal)).messages);
    },
  });
}

function pair(messages: readonly ChatMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    if (message.role === 'user') exchanges.push({ id: message.id, question: message.content, answer: null });
    else if (last && last.answer === null) last.answer = message;
  }
  return exchanges;
}

export function useSuggestions(patient: number) {
  const { i18n } = useTranslation();
  const language = coreLanguage(i18n.language);
  return useQuery({
    queryKey: [...cacheKeys.chat, 'suggestions', patient, language],
    queryFn: ({ signal }) =>
      call(contract.chat.suggestions, { query: { patient_id: String(patient), language } }, signal),
  });
}

/** Asks a question; the history has it afterwards, unless it is stopped: that ends the work of the model as well. */
export function useAsk(patient: number) {
  const client = useQueryClient();
  const { i18n } = useTranslation();
  const running = useRef<AbortController>(null);
  const [text, setText] = useState('');
  const ask = useMutation({
    mutationFn: async (message: string): Promise<void> => {
      const { signal } = (running.current = new AbortController());
      const body = { patient_id: patient, message, language: coreLanguage(i18n.language) };
      setText('');
      await callInParts(contract.chat.ask, { body }, (part) => setText(part.text), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: historyKey(patient) }),
  });
  return { ask, text, stop: () => running.current?.abort() };
}

/** Clears the history, with undo. */
export function useClearHistory(patient: number) {
  const client = useQueryClient();
  const toasts = useToasts();
  const query = { patient_id: String(patient) };
  const refresh = () => client.invalidateQueries({ queryKey: historyKey(patient) });
  return useMutation({
    mutationFn: async () => {
      const change = toasts.begin();
      try {
        await call(contract.chat.clear, { query });
        change.done({
          text: ({ t }) => t('ask.cleared'),
          undo: async () => {
            await call(contract.chat.restore, { query });
            await refresh();
          },
        });
      } catch (error) {
        change.fail(error);
      }
    },
    onSettled: refresh,
  });
}
