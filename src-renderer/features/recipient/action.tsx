import { useEffect, useRef, useState, type ReactNode } from 'react';
import { now } from '../../client/clock.ts';
import { DoorError } from './door.ts';
import { errorText, useTexts } from './texts.ts';

/** Runs an action once at a time, and keeps what went wrong in words. */
export function useAction(): {
  isBusy: boolean;
  problem: string | null;
  run: (work: () => Promise<void>) => Promise<void>;
} {
  const { t } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<DoorError | null>(null);
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (problem) {
      setError(problem instanceof DoorError ? problem : new DoorError('offline'));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem: error && errorText(t, error), run };
}

/** What went wrong, announced to screen readers. */
export const Problem = ({ children }: { children: ReactNode }) => (
  <p className="rp-problem" role="alert">
    {children}
  </p>
);

/** The heading of a screen. It takes the focus, so that keyboards and screen readers go on from there. */
export function ScreenHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Milliseconds since a moment, counted each second. */
export function useElapsed(since: number): number {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, at - since);
}
