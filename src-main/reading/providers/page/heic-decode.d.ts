/** The package has no types. */
declare module 'heic-decode' {
  export interface HeicImage {
    width: number;
    height: number;
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  /** Returns the images of the file with their sizes; nothing is decoded before `decode` is called, and `dispose` frees it. */
  const decode: { all(input: { buffer: Uint8Array }): Promise<HeicImage[] & { dispose(): void }> };
  export default decode;
}
