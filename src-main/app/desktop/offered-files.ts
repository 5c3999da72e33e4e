import { open, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { OfferedFile } from '../../../src-shared/contract/bridge.ts';
import type { BridgeHandlers } from './bridge.ts';

/** What Hearth opens: PDFs, images, DICOM and archives of them; DICOM files often have no ending. */
const EXTENSIONS = 'pdf jpg jpeg png heic heif tif tiff webp gif avif bmp dcm dicom zip';
export const OPENED_EXTENSIONS: readonly string[] = EXTENSIONS.split(' ');
const MAX_WAITING = 200;

interface Waiting extends OfferedFile {
  path: string;
}

export interface OfferedFiles {
  /** Takes files that the user opened with Hearth; resolves to how many wait now. Others are left out. */
  offer(paths: readonly string[], folder?: string): Promise<number>;
  handlers: Pick<BridgeHandlers, 'offeredFiles' | 'readOfferedFile' | 'dropOfferedFile'>;
}

/** Files that the user opened with Hearth wait here until a page takes them; the page never names a path. */
export function createOfferedFiles(ids: () => string): OfferedFiles {
  const waiting = new Map<string, Waiting>();
  return {
    async offer(paths, folder = '.') {
      for (const path of paths.map((each) => resolve(folder, each)).filter(isOpened)) {
        if (waiting.size >= MAX_WAITING || [...waiting.values()].some((file) => file.path === path)) continue;
        const stats = await stat(path).catch(() => null);
        if (!stats?.isFile()) continue;
        const key = ids();
        waiting.set(key, { key, path, name: basename(path).slice(0, 255), size: stats.size });
      }
      return waiting.size;
    },
    handlers: {
      offeredFiles: () => ({ files: [...waiting.values()].map(({ key, name, size }) => ({ key, name, size })) }),
      async readOfferedFile({ key, start, end }) {
        const file = waiting.get(key);
        return file ? { bytes: await readRange(file.path, start, end) } : 'unknown_folder';
      },
      dropOfferedFile({ key }) {
        waiting.delete(key);
        return {};
      },
    },
  };
}

function isOpened(path: string): boolean {
  const extension = extname(path).slice(1).toLowerCase();
  return extension === '' || OPENED_EXTENSIONS.includes(extension);
}

async function readRange(path: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path, 'r');
  try {
    const bytes = new Uint8Array(end - start);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled === bytes.length ? bytes : bytes.slice(0, filled);
  } finally {
    await file.close();
  }
}
