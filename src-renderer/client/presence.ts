import { useEffect } from 'react';
import { call, contract } from './api.ts';
import { now } from './clock.ts';

/** More often than this, nothing is said; the shortest time until a vault is locked is a minute. */
const EVERY_MS = 20_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

/**
 * Says that a person uses this window, so that an encrypted vault is not locked as idle. What a page asks for by itself
 * does not count.
 */
export function usePresence(): void {
  useEffect(() => {
    let saidAt = Number.NEGATIVE_INFINITY;
    const say = (): void => {
      if (now() - saidAt < EVERY_MS) return;
      saidAt = now();
      // Whoever is signed out, or finds the vault locked, learns it from the page.
      void call(contract.vaultEncryption.presence, {}).catch(() => undefined);
    };
    for (const sign of SIGNS) addEventListener(sign, say, { passive: true, capture: true });
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, say, { capture: true });
    };
  }, []);
}
