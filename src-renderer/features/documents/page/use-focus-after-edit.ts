import { useEffect, useRef, type RefObject } from 'react';

/** Returns the focus to the edit button after editing, unless the user has moved to another control. */
export function useFocusAfterEdit(editing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    const closed = wasEditing.current && !editing;
    wasEditing.current = editing;
    if (!closed) return undefined;
    // The next control takes the focus within this frame.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [editing]);
  return button;
}
