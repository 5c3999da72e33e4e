import { askShell } from './shell-bridge.ts';

/** Main sends at most 4 MiB at once. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * Takes the files that the user opened with Hearth or dropped on its icon. Their bytes go into a blob part by part,
 * which the browser keeps on the disk when it grows.
 */
export async function takeOfferedFiles(): Promise<File[]> {
  const { files } = await askShell('offeredFiles', {});
  const taken: File[] = [];
  for (const { key, name, size } of files) {
    const file = await readFile(key, name, size).catch(() => null);
    if (file) taken.push(file);
    await askShell('dropOfferedFile', { key });
  }
  return taken;
}

async function readFile(key: string, name: string, size: number): Promise<File> {
  const parts: Blob[] = [];
  for (let start = 0; start < size; start += PART_BYTES) {
    const { bytes } = await askShell('readOfferedFile', { key, start, end: Math.min(size, start + PART_BYTES) });
    parts.push(new Blob([bytes]));
  }
  return new File(parts, name);
}
