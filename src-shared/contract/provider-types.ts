/** Kinds of services that read documents, and where each of them runs. */

/** `local` is a GGUF file that Hearth runs itself. */
export const LLM_TYPES = ['builtin', 'local', 'ollama', 'vllm', 'openai', 'claude'] as const;
/** Kinds that make vectors of texts; Anthropic offers none. */
export const EMBEDDING_TYPES = ['local', 'ollama', 'vllm', 'openai'] as const;
export const VISION_TYPES = ['ollama', 'vllm', 'openai', 'claude'] as const;
/**
 * `tesseract` is the tesseract program if it is installed with all languages, otherwise the built-in engine. `llm_vision`
 * is a model of the vision list that recognizes text.
 */
export const OCR_TYPES = [
  'builtin',
  'tesseract',
  'tesseract_cli',
  'tesseract_remote',
  'google_vision',
  'llm_vision',
] as const;
export const CREDENTIAL_TYPES = ['ollama', 'vllm', 'openai', 'claude', 'google_vision', 'tesseract_remote'] as const;

export type ModelType = Exclude<(typeof LLM_TYPES)[number], 'builtin'>;
export type EmbeddingType = (typeof EMBEDDING_TYPES)[number];
export type OcrType = (typeof OCR_TYPES)[number];
export type ServiceType = (typeof CREDENTIAL_TYPES)[number];
export type ProviderKind = 'llm' | 'ocr' | 'vision';

/** What a model was asked for; `search` makes vectors of passages, `trial` is a test of a provider. */
export const MODEL_PURPOSES = ['reading', 'translation', 'question', 'suggestion', 'search', 'trial'] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

/** Addresses in use when none is given; empty if there is no usual one. */
export const DEFAULT_ADDRESSES: Readonly<Record<ServiceType, string>> = {
  ollama: 'http://127.0.0.1:11434',
  vllm: 'http://127.0.0.1:8000/v1',
  openai: 'https://api.openai.com/v1',
  claude: 'https://api.anthropic.com',
  google_vision: 'https://vision.googleapis.com',
  tesseract_remote: '',
};

export const isModelType = (type: string): boolean => (VISION_TYPES as readonly string[]).includes(type);
export const isServiceType = (type: string): type is ServiceType =>
  (CREDENTIAL_TYPES as readonly string[]).includes(type);
