import type { ErrorCode, ErrorReference } from '../../contract/errors.ts';

export type TickerErrorCode = Extract<ErrorCode, `ticker.${string}`>;

/** A failure of the bench: a code, and what its text needs. */
export class TickerError extends Error {
  readonly code: TickerErrorCode;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(code: TickerErrorCode, params: Readonly<Record<string, string | number>> = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }

  /** The failure as texts are made from it. */
  get reference(): ErrorReference {
    return { code: this.code, params: { ...this.params } };
  }
}

/** An address as people write it. */
export function formatAddress(address: number): string {
  return `0x${address.toString(16)}`;
}
