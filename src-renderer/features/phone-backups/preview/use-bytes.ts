import { useQuery } from '@tanstack/react-query';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';

/** Reads a file up to `limit` bytes; its content is not cached when it is no longer shown. */
export function useBytes(source: BackupSource, fileId: string, size: number, limit = size) {
  return useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'bytes', fileId, limit],
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    queryFn: ({ signal }) => source.bytes(fileId, 0, Math.min(size, limit), signal),
  });
}
