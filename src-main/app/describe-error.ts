import type { Failure } from '../platform/kernel/errors.ts';

/**
 * Errors that the user can fix. They are listed by name, so that the command line does not load the modules that throw
 * them.
 */
const EXPECTED_ERRORS = new Set([
  'BackupDamaged',
  'BackupExists',
  'BackupUnfinished',
  'ConfigError',
  'Failure',
  'NewerDatabaseError',
  'TypeError',
  'VaultInUse',
  'VaultNotEmpty',
]);

/**
 * Returns the text of an error for the terminal: one sentence for an error that the user can fix, otherwise the stack.
 * Never contains a name or other personal data of a `Failure`.
 */
export function describeError(error: unknown): string {
  const { name, message, stack, code, description } = error as NodeJS.ErrnoException &
    Partial<Pick<Failure, 'description'>>;
  const isExpected = EXPECTED_ERRORS.has(name) || code === 'EADDRINUSE';
  return isExpected ? (description ?? message) : (stack ?? String(error));
}
