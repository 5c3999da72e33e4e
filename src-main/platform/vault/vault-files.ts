import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFile, syncFolder, writeFileAtomic } from './atomic.ts';
import {
  CHUNK_BYTES,
  contentSize,
  looksSealed,
  makeHeader,
  nonceOf,
  sealChunk,
  type VaultKey,
} from '../kernel/age-format.ts';
import { fileKeyFor } from '../kernel/process-keys.ts';
import { openContent, Sealer, SealingStream, streamContent, type Content } from '../sealed/sealed-file.ts';

/** Writes the sealed form of an open file; `to` is replaced. */
export function writeSealed(content: Content, to: string, key: VaultKey): void {
  const { header, payloadKey } = makeHeader(key);
  const last = Math.max(1, Math.ceil(content.size / CHUNK_BYTES)) - 1;
  writeWith(to, (write) => {
    write(header);
    let index = 0;
    for (const chunk of chunksOf(content)) {
      write(sealChunk(payloadKey, nonceOf(index, index === last), chunk));
      index += 1;
    }
  });
}

/** Writes a new form of a file; `to` is replaced. */
export function writeWith(to: string, work: (write: (bytes: Uint8Array) => void) => void): void {
  const file = openSync(to, 'w', 0o600);
  try {
    work((bytes) => {
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    });
  } finally {
    closeSync(file);
  }
}

/** The chunks of a file, one after the other; an empty file has one that is empty. */
export function* chunksOf(content: Content): Generator<Buffer> {
  let at = 0;
  do {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, content.size - at));
    const read = content.readSync(chunk, 0, chunk.length, at);
    if (read < chunk.length) throw new Error('A file became shorter while it was read.');
    at += read;
    yield chunk;
  } while (at < content.size);
}

/** Opens a file of a vault, whether it is sealed or not. */
export const openVaultFile = (path: string): Content => openContent(path, fileKeyFor(path));

/** Streams a file of a vault, or [start, end) of it. */
export const streamVaultFile = (path: string, range: { start?: number; end?: number } = {}) =>
  streamContent(path, fileKeyFor(path), range);

/** Reads a small file of a vault whole. */
export function readVaultFile(path: string): Buffer {
  if (fileKeyFor(path) === null) return readFileSync(path);
  const content = openVaultFile(path);
  try {
    const bytes = Buffer.alloc(content.size);
    content.readSync(bytes, 0, content.size, 0);
    return bytes;
  } finally {
    content.close();
  }
}

/** The bytes as they are stored under this path. */
export function sealedFor(path: string, bytes: Uint8Array): Uint8Array {
  const key = fileKeyFor(path);
  return key === null ? bytes : sealBytes(key, bytes);
}

function sealBytes(key: VaultKey, bytes: Uint8Array): Buffer {
  const { header, payloadKey } = makeHeader(key);
  const count = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES));
  const chunks = Array.from({ length: count }, (_, index) =>
    sealChunk(
      payloadKey,
      nonceOf(index, index === count - 1),
      bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
    ),
  );
  return Buffer.concat([header, ...chunks]);
}

/** Replaces or creates a file of a vault atomically. */
export const writeVaultFile = (path: string, bytes: Uint8Array, uniqueName: string): void =>
  writeFileAtomic(path, sealedFor(path, bytes), uniqueName);

/** The size of the content of a file. Only its beginning is read, so that long lists of files are quick. */
export function contentSizeOf(path: string): number {
  const key = fileKeyFor(path);
  return key === null ? statSync(path).size : sizeWith(path, key);
}

function sizeWith(path: string, key: VaultKey): number {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const inside = contentSize(size);
    if (inside === null) return size;
    const start = Buffer.alloc(key.start.length);
    return looksSealed(start.subarray(0, readSync(file, start)), key) ? inside : size;
  } finally {
    closeSync(file);
  }
}

/** A new file that is written piece by piece. */
export interface NewFile {
  write(bytes: Uint8Array): void;
  /** Call once, after the last piece. A file that was not ended can't be read. */
  end(): void;
  close(): void;
}

/** Creates a file of a vault, sealed if its files are. Fails if it exists. */
export function createVaultFile(path: string): NewFile {
  const key = fileKeyFor(path);
  const file = openSync(path, 'wx', 0o600);
  const store = (bytes: Uint8Array): void => {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
  };
  const close = (): void => closeSync(file);
  if (key === null) return { write: store, end: () => undefined, close };
  const sealer = new Sealer(key);
  store(sealer.header);
  // Callers may use the memory of a piece again.
  return { write: (bytes) => sealer.add(Buffer.from(bytes)).forEach(store), end: () => store(sealer.end()), close };
}

/**
 * Seals a file that was put into an encrypted vault as it is, such as a paper in the inbox. Does nothing in other vaults
 * and for sealed files. At any moment, the file is whole under its name.
 * @throws if the file changes meanwhile, which then stays as it is
 */
export async function sealWhereItIs(path: string): Promise<void> {
  const key = fileKeyFor(path);
  if (key === null || isSealed(path, key)) return;
  const unfinished = unfinishedSealOf(path);
  try {
    const target = createWriteStream(unfinished, { mode: 0o600 });
    await pipeline(createReadStream(path), new SealingStream(key), target);
    syncFile(unfinished);
    // The file goes, so what was stored is read back; and somebody may still be writing it.
    const digests = await Promise.all([streamContent(unfinished, key), createReadStream(path)].map(digestOf));
    if (digests[0] !== digests[1]) throw new Error('A file changed while it was sealed.');
    renameSync(unfinished, path);
    syncFolder(dirname(path));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

async function digestOf(source: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(source, hash);
  return hash.digest('hex');
}

function isSealed(path: string, key: VaultKey): boolean {
  const content = openContent(path, key);
  content.close();
  return content.isSealed;
}

/** Ends the names of files that are being sealed; the next switch of the vault removes what a killed process left. */
const UNFINISHED_SEAL = '.sealing';
/** Whether a process was killed while it wrote this file. */
export const isUnfinishedSeal = (path: string): boolean =>
  basename(path).startsWith('.') && path.endsWith(UNFINISHED_SEAL);
/** The name under which the new form of a file is written, beside it: a hash, because a name can be as long as disks allow. */
export const unfinishedSealOf = (path: string): string =>
  join(dirname(path), `.${createHash('sha256').update(basename(path)).digest('hex').slice(0, 32)}${UNFINISHED_SEAL}`);

/** What an image decoder is given: the path, or the bytes of a sealed file, because native code opens paths itself. */
export const imageSource = (path: string): string | Buffer => (fileKeyFor(path) === null ? path : readVaultFile(path));
