import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Outcome } from '../providers/provider.ts';

/** A part of a page that is translated. */
export interface RegionToTranslate {
  id: number;
  page: number;
  /** In fractions of the displayed page. */
  bbox: { x: number; y: number; w: number; h: number };
}

export interface Translated {
  text: string;
  providerId: string;
  /** `ollama gemma3:4b`. */
  model: string;
}

/** What was found out about a part of a page. */
export interface RegionResult {
  status: 'done' | 'failed' | 'queued';
  error: ErrorReference | null;
  ocr_text?: string;
  translated_text?: string;
  thumbnail_path?: string;
  ocr_provider_id?: string | null;
  llm_provider_id?: string;
  llm_model?: string;
}

/** What jobs that translate use. */
export interface TranslationTools {
  /** The stored texts of the document: it is not read again. */
  pages(): Promise<PageText[]>;
  /** Translates a text of some pages at most. */
  translate(text: string, language: string): Promise<Outcome<Translated>>;
  /** Stores the English text of the document. */
  saveDocument(text: string, model: string): void;
  /** Null if it was deleted, or if the recipient who asked for it may not see the document any more. */
  region(id: number): RegionToTranslate | null;
  /** Stores the picture of a part of a page, and returns the text in it. */
  readRegion(
    region: RegionToTranslate,
  ): Promise<Outcome<{ text: string; thumbnailPath: string; ocrProvider: string | null }>>;
  saveRegion(id: number, result: RegionResult): void;
}
