import { ERRORS, textOfError, type ErrorReference } from '../../../src-shared/contract/errors.ts';

/** An error as the column `error_message` holds it: code and parameters, so that each language has its own text. */
export const storedError = (error: ErrorReference | null): string | null =>
  error === null ? null : JSON.stringify(error);

const parse = (stored: string): ErrorReference | null => {
  // Older versions stored the English text.
  if (!stored.startsWith('{')) return null;
  const error = JSON.parse(stored) as ErrorReference;
  return Object.hasOwn(ERRORS, error.code) ? error : null;
};

/** A stored error on the wire: its reference and its English text. */
export function readStoredError(stored: string | null): { error_message: string | null; error: ErrorReference | null } {
  const error = stored === null ? null : parse(stored);
  return { error, error_message: error === null ? stored : textOfError(error) };
}
