import { useEffect, useRef, useState } from 'react';
import { isStopped, type Doubt, type Task } from './task.ts';

/** Runs one long task at a time for a toolbar: its progress, a way to stop it, and the question that it asks. */
export function useTask(onFailure: (error: unknown) => void) {
  const [share, setShare] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [doubt, setDoubt] = useState<(Doubt & { answer: (value: string | null) => void }) | null>(null);
  const control = useRef<AbortController>(null);
  // Leaving the view aborts the task.
  useEffect(() => () => control.current?.abort(), []);
  const run = async (act: (task: Task) => Promise<void>): Promise<void> => {
    const controller = new AbortController();
    control.current = controller;
    setBusy(true);
    try {
      await act({
        signal: controller.signal,
        progress: setShare,
        ask: (asked) =>
          new Promise((resolve) => {
            setDoubt({
              ...asked,
              answer: (value) => {
                setDoubt(null);
                resolve(value);
              },
            });
          }),
      });
    } catch (error) {
      if (!isStopped(error)) onFailure(error);
    } finally {
      setBusy(false);
      setShare(null);
    }
  };
  return { isBusy, share, doubt, run, stop: () => control.current?.abort() };
}
