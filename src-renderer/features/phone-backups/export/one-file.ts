import type { BackupSource } from '../source/source.ts';

/** Bytes requested at a time. */
const CHUNK_BYTES = 8 * 1024 * 1024;

/** Saves one file under its own name. */
export async function saveOne(
  source: BackupSource,
  fileId: string,
  name: string,
  save: (blob: Blob, name: string) => void,
): Promise<void> {
  const size = await source.size(fileId);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < size; at += CHUNK_BYTES)
    chunks.push(await source.bytes(fileId, at, Math.min(size, at + CHUNK_BYTES)));
  save(new Blob(chunks), name);
}
