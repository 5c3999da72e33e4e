import { downloadZip, predictLength } from 'client-zip';
import type { Outgoing } from '../send/outgoing.ts';
import type { BackupSource } from '../source/source.ts';
import { saveBlob } from './download.ts';
import { safePath } from './file-name.ts';

/** Asked of the source at once. */
const PIECE = 4 * 1024 * 1024;
/** Up to here an archive is put together in memory; a larger one goes straight to the file that the person names. */
const IN_MEMORY = 256 * 1024 * 1024;

/** Files as one archive, under the paths that they had on the phone; streamed, so that gigabytes need no memory. */
export async function saveFiles(source: BackupSource, files: readonly Pick<Outgoing, 'fileId' | 'domain' | 'relativePath' | 'filename'>[], name: string): Promise<void> {
  const [only] = files;
  if (!only) return;
  const sizes = await Promise.all(files.map(({ fileId }) => source.size(fileId).catch(() => null)));
  const present = files.flatMap((file, index) => (sizes[index] === null ? [] : [{ ...file, size: sizes[index] ?? 0 }]));
  const names = unique(present.map(({ domain, relativePath, filename }) => safePath([domain, relativePath || filename].filter(Boolean).join('/'))));
  const entries = present.map(({ fileId, size }, index) => ({ name: names[index] ?? fileId, size, input: streamOf(source, fileId, size) }));
  const length = Number(predictLength(entries.map((entry) => ({ name: entry.name, size: entry.size }))));
  const archive = downloadZip(entries);
  if (length > IN_MEMORY && 'showSaveFilePicker' in globalThis) {
    const handle = await window.showSaveFilePicker({ suggestedName: name }).catch(() => null);
    if (handle) await archive.body?.pipeTo(await handle.createWritable());
    else await archive.body?.cancel();
    return;
  }
  saveBlob(await archive.blob(), name);
}

function streamOf(source: BackupSource, fileId: string, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= size) return controller.close();
      const bytes = await source.bytes(fileId, at, Math.min(size, at + PIECE));
      at += bytes.length;
      if (bytes.length === 0) controller.close();
      else controller.enqueue(bytes);
    },
  });
}

/** Two files of one name keep both: the second gets a number. */
export function unique(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf('.'), [stem, end] = dot > name.lastIndexOf('/') + 1 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem} (${number})${end}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
