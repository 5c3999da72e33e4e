import { useEffect, useRef, useState } from 'react';
import { door, DoorError, type FrameAddress } from './door.ts';

/** Frames that are kept; each has at most a few megabytes. */
const MAX_KEPT = 40;
/** Frames that are passed faster than this are not asked for, ms. */
const PASSING_MS = 60;

interface ShownFrame {
  /** Of the last frame that arrived; it stays until the next one is there. */
  url: string | null;
  /** Whether it is the one that is asked for. */
  isCurrent: boolean;
  /** Why the frame can't be shown. */
  code: string | null;
}

/** Loads a stamped frame as a picture; pictures are forgotten with the page. */
export function useFrame(address: FrameAddress, attempt: number, onFailed: () => Promise<void>): ShownFrame {
  const key = JSON.stringify(address);
  const [shown, setShown] = useState<{ key: string; url: string } | null>(null);
  const [failed, setFailed] = useState<{ key: string; code: string } | null>(null);
  const urls = useRef(new Map<string, string>());
  useEffect(() => {
    const kept = urls.current;
    return () => {
      for (const url of kept.values()) URL.revokeObjectURL(url);
      kept.clear();
    };
  }, []);
  useEffect(() => {
    const kept = urls.current;
    const left = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const url =
          kept.get(key) ?? URL.createObjectURL(await door.frame(JSON.parse(key) as FrameAddress, left.signal));
        // Kept again, it is the last that is given up.
        kept.delete(key);
        kept.set(key, url);
        giveUp(kept);
        if (left.signal.aborted) return;
        setShown({ key, url });
        setFailed(null);
      } catch (error) {
        if (left.signal.aborted) return;
        setFailed({ key, code: error instanceof DoorError ? error.code : 'offline' });
        // The session may have ended, or the document may have left the share.
        await onFailed();
      }
    };
    const timer = setTimeout(() => void load(), kept.has(key) ? 0 : PASSING_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [key, attempt, onFailed]);
  return {
    url: shown?.url ?? null,
    isCurrent: shown?.key === key,
    code: failed?.key === key ? failed.code : null,
  };
}

function giveUp(kept: Map<string, string>): void {
  for (const [key, url] of kept) {
    if (kept.size <= MAX_KEPT) return;
    URL.revokeObjectURL(url);
    kept.delete(key);
  }
}
