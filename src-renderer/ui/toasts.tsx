import { X } from 'lucide-react';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { classNames } from './class-names.ts';

/** How long a toast offers Undo; the history offers it afterwards. */
const UNDO_MS = 10_000;
const MAX_HISTORY = 20;

export interface ToastMessage {
  text: string;
  tone?: 'plain' | 'bad';
  /** Undoes the action. The caller reports its errors. */
  undo?: () => Promise<void> | void;
}
export interface Undoable {
  id: number;
  text: string;
  undo: () => void;
}
interface ShownToast extends ToastMessage {
  id: number;
  isLeaving: boolean;
}

interface Toasts {
  show: (message: ToastMessage) => void;
  history: readonly Undoable[];
}
const Context = createContext<Toasts>({ show: () => {}, history: [] });

/** Shows toasts with Undo for ten seconds and keeps a history of undoable actions. */
export function ToastProvider({
  labels,
  children,
}: {
  labels: { undo: string; dismiss: string; region: string };
  children: ReactNode;
}) {
  const [messages, setMessages] = useState<ShownToast[]>([]);
  const next = useRef(1);
  const hide = useCallback(
    (id: number) => setMessages((all) => all.map((m) => (m.id === id ? { ...m, isLeaving: true } : m))),
    [],
  );
  const drop = useCallback((id: number) => setMessages((all) => all.filter((m) => m.id !== id)), []);
  const show = useCallback((message: ToastMessage) => {
    const id = next.current++;
    setMessages((all) =>
      [...all.filter((m) => !m.isLeaving || m.undo), { ...message, id, isLeaving: false }].slice(-MAX_HISTORY),
    );
  }, []);
  const value = useMemo<Toasts>(
    () => ({
      show,
      history: messages
        .filter((m) => m.undo)
        .map((m) => ({
          id: m.id,
          text: m.text,
          undo: () => {
            drop(m.id);
            void m.undo?.();
          },
        }))
        .reverse(),
    }),
    [show, messages, drop],
  );
  return (
    <Context value={value}>
      {children}
      <section className="toasts" aria-label={labels.region} role="region">
        {messages
          .filter((m) => !m.isLeaving)
          .map((m) => (
            <ToastView
              key={m.id}
              message={m}
              labels={labels}
              onHide={() => hide(m.id)}
              onUndo={() => {
                drop(m.id);
                void m.undo?.();
              }}
            />
          ))}
      </section>
    </Context>
  );
}

function ToastView({
  message,
  labels,
  onHide,
  onUndo,
}: {
  message: ShownToast;
  labels: { undo: string; dismiss: string };
  onHide: () => void;
  onUndo: () => void;
}) {
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
      className={classNames('toast', message.tone === 'bad' && 'toast-bad')}
      role={message.tone === 'bad' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{message.text}</span>
      {message.undo && (
        <Button size="small" onClick={onUndo}>
          {labels.undo}
        </Button>
      )}
      <IconButton glyph={X} size="small" label={labels.dismiss} onClick={onHide} />
    </div>
  );
}

/** Returns `show` for messages and the `history` of undoable actions. */
export const useToasts = (): Toasts => useContext(Context);
