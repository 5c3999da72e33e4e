import { useEffect, useState } from 'react';
import { now } from '../../client/clock.ts';

/** The time in milliseconds since the epoch, which is read again every `everyMs`. */
export function useNow(everyMs: number): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return time;
}
