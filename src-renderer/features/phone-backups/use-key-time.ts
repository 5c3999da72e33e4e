import { useEffect, useState } from 'react';

/** Key derivation rounds of backups since iOS 10.2, and the number timed to estimate how long they take here. */
const ROUNDS = 10_000_000,
  SAMPLE = 100_000;
/** Until it is known. */
const USUAL_S = 3;
/** The bar stops here until the keys are there: it does not pretend. */
const MAX_SHARE = 0.96;

/**
 * Estimates how long key derivation takes on this computer, and the share that has passed. WebCrypto reports no
 * progress, so a hundredth of the work is timed first.
 */
export function useKeyTime(isRunning: boolean): { share: number; seconds: number } {
  const [seconds, setSeconds] = useState(USUAL_S);
  const [share, setShare] = useState(0);
  useEffect(() => {
    let isGone = false;
    void timed().then(
      (found) => {
        if (!isGone && found !== null) setSeconds(Math.max(1, Math.round(found)));
      },
      () => undefined,
    );
    return () => {
      isGone = true;
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

async function timed(): Promise<number | null> {
  // Absent on a page that did not come over a secure way.
  if (!('subtle' in crypto)) return null;
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'PBKDF2', false, ['deriveBits']);
  const start = performance.now();
  await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(20), iterations: SAMPLE },
    key,
    256,
  );
  return ((performance.now() - start) / 1000) * (ROUNDS / SAMPLE);
}
