/** What the process of llama.cpp is asked for. */
interface ModelTask {
  /** Absolute path of a GGUF file. */
  path: string;
  /** Memory of the computer that is free, without that of the process. */
  availableBytes: number;
}
export interface AnswerTask extends ModelTask {
  kind: 'answer';
  system: string;
  user: string;
  /** Without it, the answer is plain text. */
  schema: Record<string, unknown> | undefined;
  maxTokens: number;
}
export interface EmbedTask extends ModelTask {
  kind: 'embed';
  texts: readonly string[];
}
/** A vector for each text, and the tokens of all. */
export interface Embedded {
  vectors: number[][];
  tokensIn: number;
}
export type LlamaTask = AnswerTask | EmbedTask;
