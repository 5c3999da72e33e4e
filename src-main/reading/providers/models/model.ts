import type { ModelPurpose, ModelType } from '../../../../src-shared/contract/provider-types.ts';
import type { Attempt } from '../gate.ts';

/** A task for a language model. Documents are in `user`, whose text is data and never an instruction. */
export interface ModelRequest {
  /** What the answer is for; its cost is counted with this. */
  purpose: ModelPurpose;
  system: string;
  user: string;
  /** PNG pictures of pages, in order. */
  images?: readonly Uint8Array[];
  /**
   * JSON Schema (draft 2020-12) of the answer, without references; its name is for services that want one. Without it
   * the model writes plain text.
   */
  schema?: Record<string, unknown>;
  schemaName?: string;
  maxTokens: number;
  /** Called with the answer so far; after a retry it begins again. */
  onText?: (text: string) => void;
}

/** The name of the schema; services want one of letters and digits. */
export const nameOf = ({ schemaName }: ModelRequest): string => schemaName ?? 'answer';

export interface ModelAnswer {
  /** JSON if there was a schema, as written by the model. */
  text: string;
  /** The answer ended at the limit of tokens, so its text is incomplete. */
  isCut: boolean;
  tokensIn: number;
  tokensOut: number;
}

/** Where a model is, and the key for it; plain text in memory only. */
export interface ModelAccess {
  type: ModelType;
  /** Shown to users. */
  name: string;
  baseUrl: string;
  apiKey: string;
  model: string;
}

/** Asks a model once, through the client of its vendor. */
export type AskModel = (access: ModelAccess, request: ModelRequest, call: ServiceCall) => Promise<ModelAnswer>;

/** One request to a service: `fetch` checks the address, and notes why it failed. */
export interface ServiceCall {
  fetch: typeof fetch;
  signal: AbortSignal;
}

export type ModelAttempt = Attempt<ModelAnswer>;

/** The answer has no usable text. */
export class BadAnswer extends Error {}
