import { BackupError, type ByteSource } from '../../../../../src-shared/ios-backup/index.ts';
import type { RemoteFile } from './protocol.ts';

/** Reads a file that the service decrypts, by range requests. */
export function remoteSource({ url, headers, size }: RemoteFile): ByteSource {
  return {
    size,
    async read(start, end) {
      if (start >= end) return new Uint8Array();
      const response = await fetch(url, {
        headers: { ...headers, Range: `bytes=${start}-${end - 1}` },
        credentials: 'same-origin',
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (!response.ok || bytes.length !== end - start)
        throw new BackupError('damaged_file', { reason: `The service replied with status ${response.status}` });
      return bytes;
    },
  };
}
