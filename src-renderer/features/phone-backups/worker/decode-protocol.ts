export interface DecodeJob {
  id: number;
  bytes: Uint8Array<ArrayBuffer>;
  isHeic: boolean;
  /** Pixels of the longer side, at most. */ longest: number;
}
export interface Decoded {
  id: number;
  /** Null of what could not be decoded. */ blob: Blob | null;
}
