import { useEffect, useState } from 'react';

/** Rounds of key derivation of backups since iOS 10.2. */
const ROUNDS = 10_000_000;
/** Rounds that are timed to estimate how long all of them take. */
const SAMPLE_ROUNDS = 100_000;
/** Assumed until the estimate is ready. */
const DEFAULT_SECONDS = 3;
/** The progress bar stops here until the keys are derived. */
const MAX_SHARE = 0.96;

/**
 * Estimates how long key derivation takes on this computer, and the share that has passed. WebCrypto reports no
 * progress, so a hundredth of the work is timed first.
 */
export function useKeyTime(isRunning: boolean): { share: number; seconds: number } {
  const [seconds, setSeconds] = useState(DEFAULT_SECONDS);
  const [share, setShare] = useState(0);
  useEffect(() => {
    let isUnmounted = false;
    void estimateSeconds().then(
      (estimate) => {
        if (!isUnmounted && estimate !== null) setSeconds(Math.max(1, Math.round(estimate)));
      },
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  useEffect(() => {
    if (!isRunning) return undefined;
    const start = performance.now();
    let frame = requestAnimationFrame(function step() {
      setShare(Math.min(MAX_SHARE, (performance.now() - start) / 1000 / seconds));
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isRunning, seconds]);
  return { share, seconds };
}

/** Null if the page has no WebCrypto. */
async function estimateSeconds(): Promise<number | null> {
  // WebCrypto exists only in secure contexts.
  if (!('subtle' in crypto)) return null;
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'PBKDF2', false, ['deriveBits']);
  const start = performance.now();
  await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(20), iterations: SAMPLE_ROUNDS },
    key,
    256,
  );
  return ((performance.now() - start) / 1000) * (ROUNDS / SAMPLE_ROUNDS);
}
