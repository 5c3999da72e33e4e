import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import { ImageCache } from './image-cache.ts';

const Context = createContext<ImageCache | null>(null);

/** Caches the images of a backup as long as it is open. */
export function ImageCacheProvider({ source, children }: { source: BackupSource; children: ReactNode }) {
  const [images] = useState(() => new ImageCache(source));
  useEffect(() => () => images.end(), [images]);
  return <Context value={images}>{children}</Context>;
}

/** Returns the URL of an image: undefined while it loads, null if there is none. `path`: of a photo. */
export function useImageUrl(fileId: string | null, path: string | null, maxSide: number): string | null | undefined {
  const images = useContext(Context);
  // The cache keeps the URLs; the query only waits for one.
  const { data } = useQuery({
    queryKey: [PHONE_KEY, 'picture', fileId, maxSide],
    enabled: fileId !== null && images !== null,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: () => images?.url(fileId ?? '', path, maxSide) ?? null,
  });
  return fileId === null ? null : data;
}
