import { useEffect, useRef } from 'react';

/** Maximum delay of the second key of "g d", in ms. */
const SEQUENCE_MS = 1_000;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox');

/** A text field undoes its own typing. */
const isForText = (key: string): boolean => key === 'mod z';

/** Keys that activate the focused control; shortcuts don't intercept them. */
const presses = (key: string, target: EventTarget | null) =>
  target instanceof Element &&
  ((key === 'Enter' && target.closest('a[href]') !== null) ||
    ((key === 'Enter' || key === 'space') &&
      target.closest('button, input, select, summary, [role="option"], [role="button"]') !== null));

function nameOf(event: KeyboardEvent): string {
  if (event.metaKey || event.ctrlKey) return `mod ${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`;
  return event.key === ' ' ? 'space' : event.key;
}

/**
 * Handles keyboard shortcuts while mounted: `useShortcuts({ 'mod k': open, 'g d': goToDocuments, '/': focusSearch })`.
 * Plain keys and undo are ignored while the user types and while a dialog or menu is open.
 */
export function useShortcuts(table: Record<string, (event: KeyboardEvent) => void>): void {
  const current = useRef(table);
  current.current = table;
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const key = nameOf(event);
      const plain = !key.startsWith('mod ');
      if (
        (plain || isForText(key)) &&
        (isTyping(event.target) ||
          document.querySelector('[role="menu"], [role="dialog"][data-state="open"]:not(.side-sheet)'))
      )
        return;
      if (presses(key, event.target)) return;
      const pair = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : null;
      const action = (pair && current.current[pair]) || current.current[key];
      first = plain ? { key, at: event.timeStamp } : null;
      if (!action) return;
      first = null;
      event.preventDefault();
      action(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
