import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type SourceEntry, tickerSource } from '../../../src-shared/contract/ticker-source.ts';
import { withRegularFile } from './source-files.ts';

const MAX_LIST_BYTES = 256 * 1024;

/** What tickers may fetch, and the hashes of the tokens with which they may. */
export interface SourceList {
  hashes: readonly Buffer[];
  symbols: Readonly<Record<string, SourceEntry>>;
  /** Where the files of its entries are. */
  folder: string;
}

/** SHA-256; a token is random, so that it needs no slow hash. */
export const hashToken = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads the list in a file again when the file has changed; null while it does not hold a list. */
export function createFileListReader(path: string): () => Promise<SourceList | null> {
  let known: { changed: number; list: SourceList | null } | null = null;
  return async () => {
    try {
      const { mtimeMs } = await stat(path);
      if (known?.changed === mtimeMs) return known.list;
      const text = await withRegularFile(await realpath(path), MAX_LIST_BYTES, ({ read }) => read());
      known = { changed: mtimeMs, list: parseList(text, path) };
    } catch {
      known = null;
    }
    return known?.list ?? null;
  };
}

function parseList(text: string, path: string): SourceList | null {
  const { data } = tickerSource.safeParse(JSON.parse(text));
  if (data === undefined) return null;
  return {
    hashes: data.devices.map(({ token }) => hashToken(token)),
    symbols: data.symbols,
    folder: dirname(path),
  };
}
