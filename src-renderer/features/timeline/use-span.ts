import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { today } from '../../client/clock.ts';
import { spanOf, type Span } from './axis.ts';

/** The address follows when the hand rests. */
const REST_MS = 250;

const spanInAddress = (from: string | undefined, to: string | undefined): Span | null =>
  from && to && /^\d{4}-\d\d-\d\d$/.test(from) && /^\d{4}-\d\d-\d\d$/.test(to) && from < to
    ? { from: dayNumber(from), to: dayNumber(to) + 1 }
    : null;

/** What is shown of the axis: kept here while it moves, in the address when it rests. `null` goes back to all, until today. */
export function useSpan(
  search: { from?: string; to?: string },
  extent: { from: string; to: string } | null,
): [Span | null, (change: (span: Span) => Span | null) => void] {
  const navigate = useNavigate();
  const now = today();
  const whole = extent && spanOf({ from: extent.from, to: extent.to > now ? extent.to : now });
  const spanInUrl = spanInAddress(search.from, search.to);
  const [moving, setMoving] = useState<Span | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastWritten = useRef<string | null>(null);
  const inAddress = `${search.from ?? ''} ${search.to ?? ''}`;
  // Another address than the one that was written here, such as by the back button, counts.
  useEffect(() => {
    if (lastWritten.current !== inAddress) setMoving(null);
  }, [inAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const span = moving ?? spanInUrl ?? whole;
  const current = useRef(span);
  current.current = span;
  const change = (make: (span: Span) => Span | null): void => {
    if (!current.current) return;
    const next = make(current.current);
    current.current = next ?? whole;
    setMoving(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const range = next
        ? { from: civilFromDay(Math.floor(next.from)), to: civilFromDay(Math.ceil(next.to) - 1) }
        : { from: undefined, to: undefined };
      lastWritten.current = `${range.from ?? ''} ${range.to ?? ''}`;
      void navigate({ to: '.', search: (before) => ({ ...before, ...range }), replace: true });
    }, REST_MS);
  };
  return [span, change];
}
