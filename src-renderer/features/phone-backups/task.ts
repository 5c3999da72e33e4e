/** A question that a task asks while it runs, with its answers; the first one is the recommended answer. */
export interface Question {
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
  ask: (question: Question) => Promise<string | null>;
}

/** Whether the error is the abort of a signal, which does not count as a failure. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
