declare module 'dcmjs/dictionary' {
  /** By tag, as `(0010,0010)`, or `(0019,"CREATOR",08)` for private elements. */
  export const dictionary: Readonly<Record<string, { vr?: string; name?: string }>>;
}
