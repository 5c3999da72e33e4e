import type { DecodedSound } from './amr/decode-amr.ts';

/** A whole AMR file; each worker decodes one. */
export interface AmrRequest {
  bytes: Uint8Array;
}
export interface AmrReply {
  /** Null if the file has no audible speech. */
  sound: DecodedSound | null;
}
