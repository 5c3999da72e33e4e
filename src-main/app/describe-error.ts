import type { Failure } from '../platform/kernel/errors.ts';

const LAST_PORT = 65_535;

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
  'KeyFileDamaged',
  'NewerDatabaseError',
  'NewerKeyFile',
  'OlderDatabaseError',
  'TypeError',
  'VaultAbsent',
  'VaultBusy',
  'VaultInUse',
  'VaultLocked',
  'VaultSwitching',
  'VaultNotEmpty',
]);

/**
 * Returns the text of an error for the terminal: one sentence for an error that the user can fix, otherwise the stack.
 * Never contains a name or other personal data of a `Failure`.
 */
export function describeError(error: unknown): string {
  const { name, message, stack, description } = error as Error & Partial<Pick<Failure, 'description'>>;
  const isExpected = EXPECTED_ERRORS.has(name);
  return isExpected ? (description ?? message) : (describeListenError(error) ?? stack ?? String(error));
}

/** Says what to do when the program may not listen on its address; null for any other error. */
function describeListenError(error: unknown): string | null {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== 'listen' || port === undefined) return null;
  const another = `choose another port with --port ${port < LAST_PORT ? port + 1 : port - 1}`;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. If Hearth is already running, open http://localhost:${port}; otherwise ${another}.`;
  if (code === 'EACCES') return `You may not listen on port ${port}: ${another}.`;
  if (code === 'EADDRNOTAVAIL') return `${address} is not an address of this computer. Choose another one with --host.`;
  return null;
}
