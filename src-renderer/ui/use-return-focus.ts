import { useRef } from 'react';

/** What has the focus now. An item of a menu goes away with it: its button stays. */
function focusedControl(): Element | null {
  const focused = document.activeElement;
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return button ? document.getElementById(button) : focused;
}

/**
 * Returns the focus to what opened a dialog when it closes, unless another control has it by then. The library itself
 * does so only for triggers within the dialog's root.
 * @returns the handler for `onCloseAutoFocus`
 */
export function useReturnFocus(isOpen: boolean): (event: Event) => void {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // While rendering: fields of the dialog take the focus already when it is mounted.
  if (isOpen && !wasOpen.current) opener.current = focusedControl();
  wasOpen.current = isOpen;
  return (event) => {
    event.preventDefault();
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  };
}
