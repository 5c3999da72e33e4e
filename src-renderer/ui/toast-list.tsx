import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { classNames } from './class-names.ts';

/** How long a toast offers Undo; the history offers it afterwards. */
const UNDO_MS = 10_000;

export interface Toast {
  id: number;
  text: string;
  isBad: boolean;
  onUndo: (() => void) | undefined;
}

interface Labels {
  undo: string;
  dismiss: string;
}

/**
 * Messages at the lower edge. Each disappears after ten seconds in which neither mouse nor focus was on it. Pages leave
 * as much room at their end as the messages take, so that these never hide what is focused (WCAG 2.4.11).
 */
export function ToastList({
  toasts,
  labels,
  onHide,
}: {
  toasts: readonly Toast[];
  labels: Labels & { region: string };
  onHide: (id: number) => void;
}) {
  return (
    <section className="toasts" ref={shareHeight} aria-label={labels.region} role="region">
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} labels={labels} onHide={() => onHide(toast.id)} />
      ))}
    </section>
  );
}

/** Tells the style sheets how high the messages are, in `--toasts`. */
function shareHeight(section: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--toasts', `${section.offsetHeight}px`));
  observer.observe(section);
  return () => {
    observer.disconnect();
    style.removeProperty('--toasts');
  };
}

function ToastView({ toast, labels, onHide }: { toast: Toast; labels: Labels; onHide: () => void }) {
  const [isPaused, setHeld] = useState(false);
  const hide = useRef(onHide);
  hide.current = onHide;
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => hide.current(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [isPaused]);
  return (
    <div
      className={classNames('toast', toast.isBad && 'toast-bad')}
      role={toast.isBad ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {toast.onUndo && (
        <Button size="small" onClick={toast.onUndo}>
          {labels.undo}
        </Button>
      )}
      <IconButton glyph={X} size="small" label={labels.dismiss} onClick={onHide} />
    </div>
  );
}
