import PQueue from 'p-queue';

/** As many as its viewer asks for at once: two that are decoded and the next two. */
const MAX_AT_ONCE = 4;

/** Lets each person have a few frames decoded at a time, so that a storm of one person does not hold up the others. */
export interface FrameLines {
  /** Runs work when it is its turn; an abort drops it while it waits. @throws as `work`, and the signal's reason */
  run<T>(userId: number, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createFrameLines(): FrameLines {
  const lines = new Map<number, PQueue>();
  return {
    async run(userId, work, signal) {
      const line = lines.get(userId) ?? new PQueue({ concurrency: MAX_AT_ONCE });
      lines.set(userId, line);
      try {
        return await line.add(work, { signal });
      } finally {
        if (line.size + line.pending === 0) lines.delete(userId);
      }
    },
  };
}
