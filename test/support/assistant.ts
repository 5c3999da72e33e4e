import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Json } from './client.ts';
import { HEARTH } from './program.ts';

export interface Answer {
  isError: boolean;
  text: string;
  /** The structured answer. */
  body: Json;
}

/** An assistant that is connected to `hearth mcp` on a vault. */
export interface Assistant {
  client: Client;
  call(tool: string, given?: Record<string, unknown>): Promise<Answer>;
  /** What the client could not read of the standard output. */
  faults: Error[];
  close(): Promise<void>;
}

/** Connects the client of the SDK to the real program. */
export async function connectAssistant(vault: string, name = 'test assistant'): Promise<Assistant> {
  const client = new Client({ name, version: '1.0' });
  const faults: Error[] = [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [HEARTH, 'mcp', '--vault', vault],
    stderr: 'pipe',
  });
  client.onerror = (error) => void faults.push(error);
  await client.connect(transport);
  return {
    client,
    faults,
    async call(tool, given = {}) {
      const { isError = false, content, structuredContent } = await client.callTool({ name: tool, arguments: given });
      const [{ text }] = content as { text: string }[] as [{ text: string }];
      return { isError: isError === true, text, body: structuredContent as Json };
    },
    close: () => client.close(),
  };
}

/** Sends raw input to `hearth mcp`, and returns what it wrote and its exit code. */
export function sendToAssistantServer(
  vault: string,
  input: string,
): Promise<{ lines: string[]; errors: string; code: number | null }> {
  const child = spawn(process.execPath, [HEARTH, 'mcp', '--vault', vault], { stdio: 'pipe' });
  let output = '',
    errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  // The program may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ lines: output.split('\n').filter((line) => line !== ''), errors, code }));
  });
}
