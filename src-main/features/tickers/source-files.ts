import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import Papa from 'papaparse';
import type { SourceEntry } from '../../../src-shared/contract/ticker-source.ts';
import { fail } from '../../platform/kernel/errors.ts';

const MAX_DATA_BYTES = 4 * 1024 * 1024;
const MAX_KNOWN = 200;
/** Opening a pipe would otherwise wait for its other end. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

type FileEntry = Extract<SourceEntry, { kind: 'file' }>;
/** What is kept of the numbers in a file. */
type Summary<T> = (numbers: readonly number[]) => T;

interface OpenFile {
  /** Changes when the file does. */
  state: string;
  read: () => Promise<string>;
}

/** Opens a regular file of at most so many bytes, whatever becomes of its name meanwhile; never waits for a pipe. */
export async function withRegularFile<T>(
  path: string,
  maxBytes: number,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const file = await open(path, FLAGS);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw fail('vault.path_outside');
    if (stat.size > maxBytes) throw fail('upload.too_large', { limit: maxBytes });
    return await use({ state: `${stat.ino} ${stat.size} ${stat.mtimeMs}`, read: () => readText(file, stat.size) });
  } finally {
    await file.close();
  }
}

async function readText(file: FileHandle, size: number): Promise<string> {
  const bytes = Buffer.alloc(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await file.read(bytes, done, size - done, done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.toString('utf8', 0, done);
}

/** Reads numbers of files, and summarizes those of an unchanged file once: devices ask every few seconds. */
export function createNumberReader<T>(): (folder: string, entry: FileEntry, key: string, of: Summary<T>) => Promise<T> {
  const known = new Map<string, { state: string; summary: T }>();
  return async (folder, entry, key, summarize) => {
    const name = JSON.stringify([folder, entry.path, entry.format, entry.field, key]);
    return withRegularFile(await placeWithin(folder, entry.path), MAX_DATA_BYTES, async ({ state, read }) => {
      const before = known.get(name);
      if (before?.state === state) return before.summary;
      const text = await read();
      const summary = summarize(entry.format === 'csv' ? columnOf(text, entry.field) : valuesOf(text, entry.field));
      known.delete(name);
      known.set(name, { state, summary });
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
      return summary;
    });
  };
}

/** A path in the folder of the list or below it, after links were followed. */
async function placeWithin(listFolder: string, path: string): Promise<string> {
  const folder = await realpath(listFolder);
  const file = await realpath(join(folder, path));
  if (!file.startsWith(folder + sep)) throw fail('vault.path_outside');
  return file;
}

const WITH_DECIMAL_COMMA = /^[+-]?[\d.]*,\d+$/;

/**
 * The numbers of a column, by its title in the first row. Spreadsheets write them as the language of the computer does:
 * 1'234.5, 1 234,5 or 1.234,5. A comma is a decimal one only where it does not part the columns.
 */
function columnOf(text: string, field: string): number[] {
  const { data, meta } = Papa.parse<Record<string, string>>(text.trim(), { header: true, skipEmptyLines: true });
  const cells = data.map((row) => (row[field] ?? '').replace(/['’\s]/g, ''));
  const hasDecimalComma = meta.delimiter !== ',' && cells.some((cell) => WITH_DECIMAL_COMMA.test(cell));
  const plain = hasDecimalComma ? cells.map((cell) => cell.replaceAll('.', '').replace(',', '.')) : cells;
  return plain.map((cell) => Number(cell || NaN)).filter(Number.isFinite);
}

/** A number, or numbers with the newest last, under a key of an object. */
function valuesOf(text: string, field: string): number[] {
  const value = (JSON.parse(text) as Record<string, unknown> | null)?.[field];
  return (Array.isArray(value) ? value : [value]).filter((one): one is number => Number.isFinite(one));
}
