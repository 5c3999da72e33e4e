import { isIP } from 'node:net';
import type { CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import type { SampleStatus } from '../../../src-shared/contract/sample.ts';
import { isLoopback } from '../../platform/http/client-address.ts';
import { fail } from '../../platform/kernel/errors.ts';

export type OpenSample = NonNullable<SampleStatus['open']>;

/** What runs the core: it stops one household and starts the other. */
export interface SampleSwitch {
  /** What it takes to use the sample household that is open; null while the own vault is. */
  open: OpenSample | null;
  /** Which of the last switches failed. */
  failed: SampleStatus['failed'];
  /** Starts the switch and returns at once: the core answers, stops, and comes back under the same address. */
  switchTo(household: { sampleFor: CoreLanguage } | 'own'): void;
}

interface SampleDeps {
  /** Null in a program that cannot restart its core. */
  samples: SampleSwitch | null;
  /** The address that the core listens on. */
  host: string;
  auth: { needsSetup(): boolean };
}

export type SampleService = ReturnType<typeof createSample>;

/** Opens and closes the sample household. */
export function createSample({ samples, host, auth }: SampleDeps) {
  const isPrivate = host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
  return {
    status: (): SampleStatus => ({
      open: samples?.open ?? null,
      can_open: samples !== null && isPrivate && auth.needsSetup(),
      failed: samples?.failed ?? null,
    }),
    /** `language` is that of the reader. */
    open(language: CoreLanguage): void {
      if (!auth.needsSetup()) throw fail('setup.already_completed');
      // The password of the sample household is known to everybody, so no other computer may reach it.
      if (samples === null || !isPrivate) throw fail('sample.unavailable');
      samples.switchTo({ sampleFor: language });
    },
    close(): void {
      if (samples === null || samples.open === null) throw fail('sample.not_open');
      samples.switchTo('own');
    },
  };
}
