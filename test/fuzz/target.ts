/** What a reader of foreign bytes must survive. One file a reader in `targets/`, listed in `targets.ts`. */
export interface FuzzTarget {
  name: string;
  /**
   * Inputs that mutations start from, the first a good one that must be read. Deterministic: a failing input is found
   * again by its number.
   */
  seeds(): Uint8Array[] | Promise<Uint8Array[]>;
  /** Reads the bytes. Throwing is fine when `refuses` knows the error. */
  read(bytes: Uint8Array): unknown;
  /** Whether an error is a refusal, and not a crash of the reader. */
  refuses(error: unknown): boolean;
}
