import { extname, join } from 'node:path';
import type { AssistantProgram } from '../../src-shared/contract/assistants.ts';

/** How another program on this computer starts `hearth mcp` on this vault, by absolute paths. */
export function assistantProgram(root: string): AssistantProgram {
  const mcp = ['mcp', '--vault', root];
  if (process.versions['electron'] !== undefined) return { ...desktopProgram(mcp), env: {} };
  const entry = join(import.meta.dirname, `cli${extname(import.meta.filename)}`);
  return { command: process.execPath, args: [entry, ...mcp], env: {} };
}

/** The packaged program answers the command line itself: a fuse keeps it from running as Node. */
function desktopProgram(words: string[]): Pick<AssistantProgram, 'command' | 'args'> {
  const { defaultApp, argv, execPath, env } = process as NodeJS.Process & { defaultApp?: boolean };
  if (defaultApp) return { command: execPath, args: [argv[1] ?? '.', ...words] };
  // An AppImage runs from a folder that exists only meanwhile.
  return { command: env['APPIMAGE'] ?? execPath, args: words };
}
