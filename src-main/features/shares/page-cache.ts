import type { Clock } from '../../platform/kernel/clock.ts';

/** All pages together, and one of them, in bytes; larger ones are drawn each time. */
const MAX_BYTES = 48 * 2 ** 20;
const MAX_PAGE_BYTES = 12 * 2 ** 20;
/** The stamp says the minute, so a page that is older would say another one. */
const LASTS_MS = 60_000;
/** How soon pages are forgotten that nobody may read any more. */
const SWEEP_MS = 1000;

export interface PageCacheDeps {
  clock: Clock;
}
interface Kept {
  data: Uint8Array;
  until: number;
  /** Whether its recipient may still read it. */
  isReadable(): boolean;
}

export type PageCache = ReturnType<typeof createPageCache>;

/**
 * Stamped pages of the last minute, in memory only. They are forgotten within a second after a recipient has lost access,
 * in whichever process that was decided.
 */
export function createPageCache({ clock }: PageCacheDeps) {
  /** Those that were used last at the end. */
  const pages = new Map<string, Kept>();
  const drawing = new Map<string, Promise<Uint8Array>>();
  let bytes = 0;
  let isSweeping = false;

  function forget(key: string): void {
    bytes -= pages.get(key)?.data.length ?? 0;
    pages.delete(key);
  }
  function find(key: string): Uint8Array | null {
    const kept = pages.get(key);
    if (!kept) return null;
    pages.delete(key);
    pages.set(key, kept);
    return kept.data;
  }
  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    while (pages.size > 0 && (await clock.sleep(SWEEP_MS)))
      for (const [key, { until, isReadable }] of pages) if (until <= clock.now() || !isReadable()) forget(key);
    isSweeping = false;
  }
  function keep(key: string, kept: Kept): void {
    if (kept.data.length > MAX_PAGE_BYTES) return;
    forget(key);
    pages.set(key, kept);
    bytes += kept.data.length;
    for (const oldest of pages.keys()) if (bytes > MAX_BYTES) forget(oldest);
    void sweep();
  }
  return {
    /** How many bytes are kept. */
    size: (): number => bytes,
    /** A page that was drawn a short time ago, or is being drawn, under this key; otherwise draws it. */
    async draw(key: string, isReadable: () => boolean, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
      const known = find(key);
      if (known) return known;
      const others = drawing.get(key);
      const theirs = others && (await others.catch(() => null));
      if (theirs) return theirs;
      const made = make();
      drawing.set(key, made);
      try {
        const data = await made;
        keep(key, { data, until: clock.now() + LASTS_MS, isReadable });
        return data;
      } finally {
        if (drawing.get(key) === made) drawing.delete(key);
      }
    },
  };
}
