/** The package has no types. */
declare module 'heic-decode' {
  interface HeicImage {
    width: number;
    height: number;
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  /** Images of the file with their sizes; nothing is decoded before `decode` is called. */
  const decode: { all(input: { buffer: Uint8Array }): Promise<HeicImage[]> };
  export default decode;
}
