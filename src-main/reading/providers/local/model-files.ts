import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A model in the folder. */
export interface ModelFile {
  /** Name of the file in the folder. */
  name: string;
  size_bytes: number;
}

/** The second and later parts of a model in several files, which llama.cpp finds by itself. */
const LATER_PART = /-(?!00001-)\d{5}-of-\d{5}\.gguf$/i;

/** Models in a folder, by name; none if the folder does not exist. */
export async function modelFilesIn(folder: string): Promise<ModelFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => !entry.isDirectory() && /\.gguf$/i.test(entry.name) && !LATER_PART.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found?.isFile() ? [{ name, size_bytes: found.size }] : [];
    }),
  );
  return files.flat();
}
