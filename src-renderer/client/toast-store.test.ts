import { beforeEach, describe, expect, it } from 'vitest';
import { createToastStore, type ToastStore } from './toast-store.ts';
import type { Message, Words } from './words.ts';

const wordsOf = (language: string): Words =>
  ({
    t: (key: string, { text }: { text?: string } = {}) => `${language} ${key}${text ? ` (${text})` : ''}`,
    vocabulary: { error: (error: Error) => `${language} ${error.message}` },
  }) as unknown as Words;
const named =
  (name: string): Message =>
  ({ t }) =>
    t(name as 'undo.title');

let store: ToastStore;
let undone: string[];
const undoOf = (name: string) => (): void => void undone.push(name);
const change = (name: string) => ({ text: named(name), undo: undoOf(name) });
const shown = (language = 'en'): string[] =>
  store.entries().flatMap(({ message, isVisible }) => (message && isVisible ? [message.text(wordsOf(language))] : []));
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  store = createToastStore();
  undone = [];
});

it('words messages in the language in which they are shown', () => {
  store.show(change('saved'));
  expect([shown('en'), shown('de')]).toEqual([['en saved'], ['de saved']]);
});

describe('undoing the last change', () => {
  it('undoes the changes in reverse order, and then says that there are none', async () => {
    for (const name of ['a', 'b']) store.show(change(name));
    for (let press = 0; press < 3; press++) store.undoLast();
    await settle();
    expect(undone).toEqual(['b', 'a']);
    expect(shown()).toContain('en undo.nothing');
    expect(shown('de')).toContain('de undo.undoing (de b)');
  });

  it('waits for the answer to the change, and leaves the one before it', async () => {
    store.show(change('before'));
    const pending = store.begin();
    store.undoLast();
    await settle();
    expect(undone).toEqual([]);
    pending.done(change('late'));
    await settle();
    expect(undone).toEqual(['late']);
    store.undoLast();
    await settle();
    expect(undone).toEqual(['late', 'before']);
  });

  it('undoes in order when it is asked twice before the first answer', async () => {
    store.show(change('before'));
    const pending = store.begin();
    store.undoLast();
    store.undoLast();
    await settle();
    expect(undone).toEqual([]);
    pending.done(change('late'));
    await settle();
    expect(undone).toEqual(['late', 'before']);
  });

  it('undoes the change that began last, also when an earlier one is answered after it', async () => {
    const slow = store.begin();
    const quick = store.begin();
    quick.done(change('quick'));
    slow.done(change('slow'));
    store.undoLast();
    await settle();
    expect(undone).toEqual(['quick']);
  });

  it('undoes nothing when the change fails', async () => {
    store.show(change('before'));
    const pending = store.begin();
    store.undoLast();
    pending.fail(new Error('refused'));
    await settle();
    expect(undone).toEqual([]);
    expect(shown()).toContain('en refused');
  });

  it('says when the change cannot be undone, and leaves the one before it', async () => {
    store.show(change('before'));
    const pending = store.begin();
    store.undoLast();
    pending.done({ text: named('final') });
    await settle();
    expect(undone).toEqual([]);
    expect(shown()).toEqual(expect.arrayContaining(['en final', 'en undo.impossible']));
  });

  it('shows the error of an undo that fails, and goes on with the next', async () => {
    store.show(change('before'));
    store.show({ text: named('broken'), undo: () => Promise.reject(new Error('gone')) });
    store.undoLast();
    store.undoLast();
    await settle();
    expect(undone).toEqual(['before']);
    expect(shown()).toContain('en gone');
  });
});

it('keeps the last twenty messages, and every change that waits for its answer', () => {
  store.begin();
  for (let count = 0; count < 25; count++) store.show(change(String(count)));
  expect(store.entries()).toHaveLength(21);
});

it('keeps the undo of a hidden message', async () => {
  store.show(change('a'));
  store.hide(store.entries()[0]?.id ?? 0);
  store.show({ text: named('b') });
  expect(shown()).toEqual(['en b']);
  store.undoLast();
  await settle();
  expect(undone).toEqual(['a']);
});
