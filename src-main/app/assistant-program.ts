import { extname, join } from 'node:path';
import type { AssistantProgram } from '../../src-shared/contract/assistants.ts';

/** How another program on this computer starts `hearth mcp` on this vault, by absolute paths. */
export function assistantProgram(root: string): AssistantProgram {
  const entry = join(import.meta.dirname, `cli${extname(import.meta.filename)}`);
  return {
    command: process.execPath,
    args: [entry, 'mcp', '--vault', root],
    // Without it, the program of Electron opens a window.
    env: process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
  };
}
