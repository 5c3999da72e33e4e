import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Beside the bundle, never in the vault or a folder for temporary files: whoever can write compiled code can run it,
 * and here only those can who can change the program.
 */
const FOLDER = fileURLToPath(new URL('../../dist/core/compiled', import.meta.url));

/**
 * Lets later starts take compiled modules from a folder of the program, which saves a third of the start. Without the
 * right to write there, every start compiles them. Affects modules that are imported afterwards.
 */
export const cacheCompiledCode = (): void => void enableCompileCache(FOLDER);

/** Writes what this start had to compile; afterwards the program may be killed. */
export const saveCompiledCode = (): void => flushCompileCache();
