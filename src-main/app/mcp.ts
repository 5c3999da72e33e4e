import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import manifest from '../../package.json' with { type: 'json' };
import { createRecordServer } from '../features/assistants/record-server.ts';
import type { Config } from '../platform/config/config.ts';
import { openSplitDatabase } from '../platform/database/split-database.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { createLog } from '../platform/kernel/log.ts';
import { createKnowledge } from '../reading/knowledge/service.ts';
import { createSynonyms } from '../reading/knowledge/synonyms.ts';
import { DATABASE_FILE } from '../platform/vault/layout.ts';
import { unlockFromFile } from './unlock.ts';

/** A longer message ends the program; a call has a few hundred bytes. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/**
 * Serves one assistant on standard input and output until it disconnects; returns the exit code. It neither locks the
 * vault nor keeps it open, so it runs beside the household's own process and without it.
 */
export async function serveMcp(config: Config, input: Readable = process.stdin): Promise<number> {
  const root = config['vault.path'];
  const file = join(root, DATABASE_FILE);
  if (!existsSync(file)) throw new TypeError(`There is no vault in ${root}. Name one with --vault.`);
  await unlockFromFile(root);
  const open = () => openSplitDatabase(file);
  // Refuses a vault of another version before an assistant asks.
  open().close();
  const log = createLog(config['log.level']).child('assistant');
  const knowledge = createKnowledge();
  const server = createRecordServer({
    ...{ open, clock: systemClock, log, knowledge, synonyms: createSynonyms() },
    version: manifest.version,
  });
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  server.server.onerror = (error) => {
    log.error({ err: error }, 'a message of an assistant could not be read');
    if (isUnreadable(error)) void transport.send(UNREADABLE);
  };
  return new Promise((resolve, reject) => {
    server.server.onclose = () => resolve(1);
    const disconnect = (): void => resolve(0);
    input.once('end', disconnect);
    process.stdout.once('error', disconnect);
    server.connect(transport).catch(reject);
  });
}

const isUnreadable = ({ name }: Error): boolean =>
  name === 'SyntaxError' || name === '$ZodError' || name === 'ZodError';

/** JSON-RPC 2.0, 5: the answer to what has no readable id. */
const UNREADABLE = {
  ...{ jsonrpc: '2.0', id: null },
  error: { code: ErrorCode.ParseError, message: 'This is not a message of JSON-RPC 2.0. Send one as a line of JSON.' },
} as unknown as JSONRPCMessage;
