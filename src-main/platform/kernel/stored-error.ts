import { ERRORS, textOfError, type ErrorReference } from '../../../src-shared/contract/errors.ts';

/** An error as a text column holds it: code and parameters, so that each language has its own text. */
export const storedError = (error: ErrorReference | null): string | null =>
  error === null ? null : JSON.stringify(error);

const parse = (stored: string): ErrorReference | null => {
  // Older versions stored the English text.
  if (!stored.startsWith('{')) return null;
  const error = JSON.parse(stored) as ErrorReference;
  return Object.hasOwn(ERRORS, error.code) ? error : null;
};

/** A stored error: its reference, null for one of an older version, and its English text. */
export function readStoredError(stored: string | null): { error: ErrorReference | null; text: string | null } {
  const error = stored === null ? null : parse(stored);
  return { error, text: error === null ? stored : textOfError(error) };
}
