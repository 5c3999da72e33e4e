export interface DecodeRequest {
  id: number;
  bytes: Uint8Array<ArrayBuffer>;
  isHeic: boolean;
  /** The largest number of pixels of the longer side. */
  maxSide: number;
}
export interface DecodeReply {
  id: number;
  /** Null if the image could not be decoded. */
  blob: Blob | null;
}
