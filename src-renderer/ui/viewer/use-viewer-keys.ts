import { useEffect, useRef, type RefObject } from 'react';

/** Commands of the viewer. */
export type ViewerCommand =
  | 'previous_page'
  | 'next_page'
  | 'first_page'
  | 'last_page'
  | 'zoom_in'
  | 'zoom_out'
  | 'fit_width'
  | 'fit_page'
  | 'find'
  | 'rotate'
  | 'rotate_back'
  | 'region'
  | 'rail';

const KEYS: Record<string, ViewerCommand> = {
  PageUp: 'previous_page',
  PageDown: 'next_page',
  Home: 'first_page',
  End: 'last_page',
  '+': 'zoom_in',
  '=': 'zoom_in',
  '-': 'zoom_out',
  '0': 'fit_width',
  '9': 'fit_page',
  f: 'find',
  '/': 'find',
  ']': 'rotate',
  '[': 'rotate_back',
  c: 'region',
  b: 'rail',
};

/** Keys that scroll the focused element; the viewer handles them only if nothing else has the focus. */
const SCROLL_KEYS = new Set(['PageUp', 'PageDown', 'Home', 'End']);
/** Starts a two-key shortcut of the frame ("g d"); the key after it is ignored here. */
const LEADER = 'g';
const TYPING_SELECTOR =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';

/** The command of a key press; null if the viewer does not handle it. */
export function commandOf(
  event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean },
  focus: { typing: boolean; elsewhere: boolean },
): ViewerCommand | null {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'f') return 'find';
  if (event.ctrlKey || event.metaKey || event.altKey || focus.typing) return null;
  if (SCROLL_KEYS.has(event.key) && focus.elsewhere) return null;
  return KEYS[event.key] ?? null;
}

/** Handles the viewer's keys on the whole page, except while the user types or a dialog is open. */
export function useViewerKeys(root: RefObject<HTMLElement | null>, run: (command: ViewerCommand) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  }, [run]);
  useEffect(() => {
    let before = '';
    const onKey = (event: KeyboardEvent) => {
      const second = before === LEADER;
      before = event.key;
      if (second) return;
      const target = event.target instanceof Element ? event.target : null;
      const elsewhere = target !== null && target !== document.body && !(root.current?.contains(target) ?? false);
      const command = event.defaultPrevented
        ? null
        : commandOf(event, { typing: target?.closest(TYPING_SELECTOR) != null, elsewhere });
      if (!command) return;
      event.preventDefault();
      latest.current(command);
    };
    // Listens on the document, before the frame's listener on the window, so that "/" searches in the open document.
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [root]);
}
