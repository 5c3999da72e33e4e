/** A question that came up in the middle, with its answers; the last one gives up. */
export interface Doubt {
  title: string;
  text: string;
  answers: readonly { name: string; value: string }[];
}

/** A long-running task: its progress, its abort signal, and the questions that the user must answer. */
export interface Task {
  signal: AbortSignal;
  /** Share from 0 to 1. */
  progress: (share: number) => void;
  /** Resolves to the value of the selected answer; null if the user selects none. */
  ask: (doubt: Doubt) => Promise<string | null>;
}

/** Whether the error is the abort of a signal, which does not count as a failure. */
export const isStopped = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
