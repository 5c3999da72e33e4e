import { createContext, useContext, useState, useSyncExternalStore, type ReactNode } from 'react';
import { ToastList } from '../ui/toast-list.tsx';
import { createToastStore, type ToastStore } from './toast-store.ts';
import { useWords, type Message } from './words.ts';

/** A change that can be undone. */
export interface Undoable {
  id: number;
  text: Message;
  undo: () => void;
}

const Context = createContext<ToastStore | null>(null);

/** Shows toasts with Undo for ten seconds and keeps a history of the changes that can be undone. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createToastStore);
  return (
    <Context value={store}>
      {children}
      <Toasts store={store} />
    </Context>
  );
}

function Toasts({ store }: { store: ToastStore }) {
  const words = useWords();
  const { t } = words;
  const entries = useSyncExternalStore(store.subscribe, store.entries);
  return (
    <ToastList
      labels={{ undo: t('action.undo'), dismiss: t('action.dismiss'), region: t('toast.region') }}
      onHide={store.hide}
      toasts={entries.flatMap(({ id, message, isVisible }) =>
        message && isVisible
          ? [
              {
                id,
                text: message.text(words),
                isBad: message.tone === 'bad',
                onUndo: message.undo && (() => store.undo(id)),
              },
            ]
          : [],
      )}
    />
  );
}

/** Shows messages, and notes changes so that they can be undone. */
export function useToasts(): Pick<ToastStore, 'show' | 'showError' | 'begin' | 'undoLast'> {
  const store = useContext(Context);
  if (!store) throw new Error('useToasts is used outside ToastProvider');
  return store;
}

/** What can still be undone, the last first. */
export function useUndoHistory(): Undoable[] {
  const store = useContext(Context);
  if (!store) throw new Error('useUndoHistory is used outside ToastProvider');
  const entries = useSyncExternalStore(store.subscribe, store.entries);
  return entries
    .flatMap(({ id, message }) => (message?.undo ? [{ id, text: message.text, undo: () => store.undo(id) }] : []))
    .reverse();
}
