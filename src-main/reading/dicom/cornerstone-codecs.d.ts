declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  const load: (options: {
    print(): void;
    printErr(): void;
  }) => Promise<{ J2KDecoder: new () => import('./wide-colors.ts').WideDecoder }>;
  export default load;
}
declare module '@cornerstonejs/codec-openjph/wasmjs' {
  const load: (options: {
    print(): void;
    printErr(): void;
  }) => Promise<{ HTJ2KDecoder: new () => import('./wide-colors.ts').WideDecoder }>;
  export default load;
}
