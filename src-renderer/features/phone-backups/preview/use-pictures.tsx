import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import { Pictures } from './pictures.ts';

const Context = createContext<Pictures | null>(null);

/** Keeps the small pictures of a backup as long as it is open. */
export function PicturesProvider({ source, children }: { source: BackupSource; children: ReactNode }) {
  const [pictures] = useState(() => new Pictures(source));
  useEffect(() => () => pictures.end(), [pictures]);
  return <Context value={pictures}>{children}</Context>;
}

/** Returns the URL of a picture: undefined while it loads, null if there is none. `path`: of a photo. */
export function usePicture(fileId: string | null, path: string | null, longest: number): string | null | undefined {
  const pictures = useContext(Context);
  // The pictures themselves remember; the query only waits for one.
  const { data } = useQuery({
    queryKey: [PHONE_KEY, 'picture', fileId, longest],
    enabled: fileId !== null && pictures !== null,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: () => pictures?.url(fileId ?? '', path, longest) ?? null,
  });
  return fileId === null ? null : data;
}
