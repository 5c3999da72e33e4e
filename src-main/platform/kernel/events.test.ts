import { expect, it } from 'vitest';
import { createEventBus } from './events.ts';

interface Events {
  renamed: { id: number };
  restored: { id: number };
}

it('calls the listeners of an event in order, before emit returns', () => {
  const bus = createEventBus<Events>();
  const calls: string[] = [];
  bus.on('renamed', ({ id }) => void calls.push(`first ${id}`));
  bus.on('renamed', ({ id }) => void calls.push(`second ${id}`));
  bus.on('restored', () => void calls.push('other event'));
  void bus.emit('renamed', { id: 7 });
  expect(calls).toEqual(['first 7', 'second 7']);
});

it('throws the error of a listener at the emitter', () => {
  const bus = createEventBus<Events>();
  bus.on('renamed', () => {
    throw new Error('no space left');
  });
  expect(() => bus.emit('renamed', { id: 1 })).toThrow('no space left');
});

it('resolves when asynchronous listeners have finished', async () => {
  const bus = createEventBus<Events>();
  let isFinished = false;
  bus.on('restored', async () => {
    await Promise.resolve();
    isFinished = true;
  });
  await bus.emit('restored', { id: 1 });
  expect(isFinished).toBe(true);
  await expect(bus.emit('renamed', { id: 1 })).resolves.toBeUndefined();
});
