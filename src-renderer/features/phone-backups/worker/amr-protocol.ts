import type { DecodedSound } from './amr/decode-amr.ts';

/** The whole of an AMR file; a worker decodes one. */
export interface AmrJob {
  bytes: Uint8Array;
}
export interface AmrAnswer {
  /** Null where there is nothing to hear. */ sound: DecodedSound | null;
}
