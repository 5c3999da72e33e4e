import type { Message } from './words.ts';

/** How many messages are kept, so that their changes can be undone. */
const MAX_HISTORY = 20;

export interface ToastMessage {
  text: Message;
  tone?: 'plain' | 'bad';
  /** Undoes the change. An error is shown. */
  undo?: () => unknown;
}

/** A change that the server has not answered yet. */
export interface PendingChange {
  /** Shows the message of the change, or undoes the change if the user has asked for that meanwhile. */
  done(message: ToastMessage): void;
  /** The change failed: shows the error. */
  fail(error: unknown): void;
  /** The change failed, and the page shows why. */
  drop(): void;
}

interface Entry {
  id: number;
  /** Null until the server has answered. */
  message: ToastMessage | null;
  /** The message once the server has answered; null if the change failed. */
  settled: Promise<ToastMessage | null>;
  isVisible: boolean;
}

export type ToastStore = ReturnType<typeof createToastStore>;

/**
 * Messages about changes, in the order in which the changes began, with what undoes them. Undoing runs one after the
 * other, because a later change may depend on an earlier one.
 */
export function createToastStore() {
  let entries: readonly Entry[] = [];
  let lastId = 0;
  let undoing: Promise<unknown> = Promise.resolve();
  const listeners = new Set<() => void>();
  const set = (next: readonly Entry[]): void => {
    const old = next.filter(({ message }) => message !== null).slice(0, -MAX_HISTORY);
    entries = next.filter((entry) => !old.includes(entry));
    for (const listener of listeners) listener();
  };
  const remove = (id: number): void => set(entries.filter((entry) => entry.id !== id));
  const show = (message: ToastMessage): void => {
    const entry = { id: ++lastId, message, settled: Promise.resolve(message), isVisible: true };
    set([...entries.filter((one) => one.isVisible || one.message?.undo), entry]);
  };
  const showError = (error: unknown): void => show({ text: ({ vocabulary }) => vocabulary.error(error), tone: 'bad' });

  const begin = (): PendingChange => {
    const id = ++lastId;
    let settle: (message: ToastMessage | null) => void = () => {};
    const settled = new Promise<ToastMessage | null>((resolve) => (settle = resolve));
    set([...entries, { id, message: null, settled, isVisible: true }]);
    const drop = (): void => {
      settle(null);
      remove(id);
    };
    return {
      done(message) {
        settle(message);
        set(entries.map((entry) => (entry.id === id ? { ...entry, message } : entry)));
      },
      drop,
      fail(error) {
        drop();
        showError(error);
      },
    };
  };

  /** Undoes a change after those that are being undone, and once the server has answered it. */
  const undoEntry = ({ id, settled }: Entry, isTold: boolean): void => {
    remove(id);
    undoing = undoing
      .then(async () => {
        const message = await settled;
        if (!message) return;
        if (!message.undo) {
          show(message);
          return show({ text: ({ t }) => t('undo.impossible') });
        }
        if (isTold) show({ text: (words) => words.t('undo.undoing', { text: message.text(words) }) });
        await message.undo();
      })
      .catch(showError);
  };

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** All messages, the oldest first. */
    entries: () => entries,
    show,
    showError,
    /** Notes that a change begins: it is the next one to be undone, before the server has answered. */
    begin,
    hide: (id: number): void => set(entries.map((entry) => (entry.id === id ? { ...entry, isVisible: false } : entry))),
    /** Undoes one change of the history. */
    undo(id: number): void {
      const entry = entries.find((one) => one.id === id);
      if (entry) undoEntry(entry, false);
    },
    /** Undoes the change that began last and says which. */
    undoLast(): void {
      const last = entries.findLast(({ message }) => message === null || message.undo);
      if (!last) return show({ text: ({ t }) => t('undo.nothing') });
      if (last.message === null) show({ text: ({ t }) => t('undo.waiting') });
      undoEntry(last, true);
    },
  };
}
