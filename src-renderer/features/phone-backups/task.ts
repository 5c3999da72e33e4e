/** A question that came up in the middle, with its answers; the last one gives up. */
export interface Doubt {
  title: string;
  text: string;
  answers: readonly { name: string; value: string }[];
}

/** Something that takes long: how far it is, whether it shall go on, and what a person has to decide. */
export interface Task {
  signal: AbortSignal;
  /** Share from 0 to 1. */
  progress: (share: number) => void;
  /** The value of the chosen answer; null of none. */
  ask: (doubt: Doubt) => Promise<string | null>;
}

/** Whether the error is the abort of a signal, which does not count as a failure. */
export const isStopped = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
