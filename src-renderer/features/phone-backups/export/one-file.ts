import type { BackupSource } from '../source/source.ts';

const PIECE = 8 * 1024 * 1024;

/** One file under its own name. */
export async function saveOne(
  source: BackupSource,
  fileId: string,
  name: string,
  save: (blob: Blob, name: string) => void,
): Promise<void> {
  const size = await source.size(fileId);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < size; at += PIECE) pieces.push(await source.bytes(fileId, at, Math.min(size, at + PIECE)));
  save(new Blob(pieces), name);
}
