/** The package has no types for its bundle; these are the parts that Hearth uses. */
declare module 'libheif-js/wasm-bundle.js' {
  /** Numbers of the decoder. */
  type Handle = object;
  export interface HeifImage {
    handle: Handle;
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    has_alpha_channel(): boolean;
    free(): void;
  }
  export interface DecodedHeic {
    image: Handle;
    /** One, interleaved. */
    channels: { width: number; height: number; stride: number; data: Uint8Array }[];
  }
  interface Libheif {
    ready: Promise<unknown>;
    HeifDecoder: new () => { decoder: Handle | null; decode(bytes: Uint8Array): HeifImage[] };
    heif_colorspace: { heif_colorspace_RGB: Handle };
    heif_chroma: { heif_chroma_interleaved_RGB: Handle; heif_chroma_interleaved_RGBA: Handle };
    heif_js_decode_image2(
      handle: Handle,
      colorspace: Handle,
      chroma: Handle,
    ): Promise<DecodedHeic | { message: string } | undefined>;
    heif_image_release(image: Handle): void;
    heif_context_free(context: Handle): void;
  }
  const libheif: Libheif;
  export default libheif;
}
