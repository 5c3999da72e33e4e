import { useEffect, useRef, useState } from 'react';
import { isAbort, type Question, type Task } from './task.ts';

/** A question that waits for its answer; null cancels the task's step. */
export type PendingQuestion = Question & { answer: (value: string | null) => void };

/** Runs one long task at a time for a toolbar: its progress, a way to stop it, and the question that it asks. */
export function useTask(onFailure: (error: unknown) => void) {
  const [share, setShare] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [question, setQuestion] = useState<PendingQuestion | null>(null);
  const control = useRef<AbortController>(null);
  // Leaving the view aborts the task.
  useEffect(() => () => control.current?.abort(), []);
  const askUser = (next: Question): Promise<string | null> =>
    new Promise((resolve) => {
      const answer = (value: string | null): void => {
        setQuestion(null);
        resolve(value);
      };
      setQuestion({ ...next, answer });
    });
  const run = async (act: (task: Task) => Promise<void>): Promise<void> => {
    const controller = new AbortController();
    control.current = controller;
    setBusy(true);
    try {
      await act({ signal: controller.signal, progress: setShare, ask: askUser });
    } catch (error) {
      if (!isAbort(error)) onFailure(error);
    } finally {
      setBusy(false);
      setShare(null);
    }
  };
  return { isBusy, share, question, run, stop: () => control.current?.abort() };
}
