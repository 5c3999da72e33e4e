/** The package is optional, so its own types may be missing; these are the parts that Hearth uses. */
declare module 'node-llama-cpp' {
  interface Disposable {
    dispose(): Promise<void>;
  }
  export type Token = number;
  export interface LlamaContextSequence extends Disposable {
    contextSize: number;
  }
  export interface LlamaContext extends Disposable {
    contextSize: number;
    getSequence(): LlamaContextSequence;
  }
  export interface LlamaEmbeddingContext extends Disposable {
    getEmbeddingFor(input: readonly Token[]): Promise<{ vector: readonly number[] }>;
  }
  export interface LlamaModel extends Disposable {
    trainContextSize: number;
    tokenize(text: string): Token[];
    createContext(options: { contextSize: number; sequences: number; threads: number }): Promise<LlamaContext>;
    createEmbeddingContext(options: { contextSize: number; threads: number }): Promise<LlamaEmbeddingContext>;
  }
  /** Made from a JSON Schema. */
  export interface LlamaGrammar {
    grammar: string;
  }
  export interface Llama extends Disposable {
    gpu: string | false;
    cpuMathCores: number;
    getVramState(): Promise<{ free: number; unifiedSize: number }>;
    loadModel(options: { modelPath: string }): Promise<LlamaModel>;
    createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>;
  }
  export function getLlama(options: {
    build: 'never';
    skipDownload: boolean;
    progressLogs: boolean;
    logLevel: 'error';
    maxThreads: number;
  }): Promise<Llama>;

  type HistoryItem = { type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] };
  export class LlamaChat {
    constructor(options: { contextSequence: LlamaContextSequence });
    generateResponse(
      history: HistoryItem[],
      options: {
        grammar?: LlamaGrammar;
        maxTokens: number;
        temperature: number;
        budgets: { thoughtTokens: number };
        onToken: (tokens: Token[]) => void;
      },
    ): Promise<{ response: string; metadata: { stopReason: string } }>;
  }

  interface Memory {
    cpuRam: number;
    gpuVram: number;
  }
  export class GgufInsights {
    static from(info: GgufFileInfo, llama: Llama): Promise<GgufInsights>;
    trainContextSize: number | undefined;
    estimateModelResourceRequirements(options: { gpuLayers: number }): Memory;
    estimateContextResourceRequirements(options: {
      contextSize: number;
      modelGpuLayers: number;
      sequences: number;
    }): Memory;
  }
  export interface GgufFileInfo {
    version: number;
  }
  export function readGgufFileInfo(path: string, options: { sourceType: 'filesystem' }): Promise<GgufFileInfo>;
  export class InsufficientMemoryError extends Error {}
}
