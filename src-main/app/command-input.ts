import type { Readable } from 'node:stream';
import type { Config } from '../platform/config/config.ts';
import type { Flags } from './flags.ts';

/** What a command of the command line gets. */
export interface CommandInput {
  config: Config;
  flags: Flags;
  /** The arguments of the command. */
  words: string[];
  print(line: string): void;
  /** Standard input, where it is not `process.stdin`. */
  input?: Readable;
}
