import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { civilFromDay, dayNumber } from '../../../src-shared/medical/civil-date.ts';
import { today } from '../../client/clock.ts';
import { spanOf, type Span } from './axis.ts';

/** Delay before the address follows the visible span. */
const ADDRESS_DELAY_MS = 250;

const spanInAddress = (from: string | undefined, to: string | undefined): Span | null =>
  from && to && /^\d{4}-\d\d-\d\d$/.test(from) && /^\d{4}-\d\d-\d\d$/.test(to) && from < to
    ? { from: dayNumber(from), to: dayNumber(to) + 1 }
    : null;

export type ChangeSpan = (change: (span: Span) => Span | null) => void;

/** The visible span: local state while it moves, then part of the address. `null` shows everything until today. */
export function useSpan(
  search: { from?: string; to?: string },
  extent: { from: string; to: string } | null,
): [Span | null, ChangeSpan] {
  const navigate = useNavigate();
  const now = today();
  const wholeSpan = extent && spanOf({ from: extent.from, to: extent.to > now ? extent.to : now });
  const spanInUrl = spanInAddress(search.from, search.to);
  const [movingSpan, setMoving] = useState<Span | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastWritten = useRef<string | null>(null);
  const inAddress = `${search.from ?? ''} ${search.to ?? ''}`;
  // Navigation from elsewhere, such as the back button, overrides the local state.
  useEffect(() => {
    if (lastWritten.current !== inAddress) setMoving(null);
  }, [inAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const span = movingSpan ?? spanInUrl ?? wholeSpan;
  const current = useRef(span);
  current.current = span;
  const change = (make: (span: Span) => Span | null): void => {
    if (!current.current) return;
    const next = make(current.current);
    current.current = next ?? wholeSpan;
    setMoving(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const range = next
        ? { from: civilFromDay(Math.floor(next.from)), to: civilFromDay(Math.ceil(next.to) - 1) }
        : { from: undefined, to: undefined };
      lastWritten.current = `${range.from ?? ''} ${range.to ?? ''}`;
      void navigate({ to: '.', search: (before) => ({ ...before, ...range }), replace: true });
    }, ADDRESS_DELAY_MS);
  };
  return [span, change];
}
