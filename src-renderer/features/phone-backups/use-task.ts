import { useEffect, useRef, useState } from 'react';
import { isStopped, type Doubt, type Task } from './task.ts';

/** Runs one long thing at a time, for a toolbar: how far it is, the way to stop it, and a question that it asks. */
export function useTask(onFailure: (error: unknown) => void) {
  const [share, setShare] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [doubt, setDoubt] = useState<(Doubt & { answer: (value: string | null) => void }) | null>(null);
  const control = useRef<AbortController>(null);
  // Leaving the view gives up what it was making.
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
