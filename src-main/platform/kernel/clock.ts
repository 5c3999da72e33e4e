/** Reads the machine's clock; all other code receives a `Clock`. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or at once with `false` when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<boolean>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(false);
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve(true);
      }, ms);
      const stop = () => {
        clearTimeout(timer);
        resolve(false);
      };
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** Formats UTC to the second without a zone, like every timestamp of the API: `2026-11-21T08:30:00`. */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** Parses a timestamp of `toTimestamp` to milliseconds. */
export const fromTimestamp = (text: string): number => Date.parse(`${text}Z`);

/** Returns the civil date of a moment in this computer's time zone: `2026-11-21`. */
export function toCivilDate(ms: number): string {
  const local = new Date(ms);
  return `${String(local.getFullYear()).padStart(4, '0')}-${String(local.getMonth() + 1).padStart(2, '0')}-${String(local.getDate()).padStart(2, '0')}`;
}
