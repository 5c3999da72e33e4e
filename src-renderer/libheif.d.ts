declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  /** Makes the decoder; see workers/heic.ts for its shape. */
  export default function make(): unknown;
}
