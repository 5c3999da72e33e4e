import { BadAnswer, type ServiceCall } from '../models/model.ts';
import type { OcrAnswer, PageImage, PageOptions } from '../provider.ts';
import { toWords, type RawWord } from './ocr-words.ts';
import { toPng } from './page-picture.ts';

/** Where the service is, and the key for it. */
export interface OcrAccess {
  baseUrl: string;
  apiKey: string;
}

/** Asks an OCR service for the words of a page. */
export type AskOcr = (
  access: OcrAccess,
  image: PageImage,
  options: Pick<PageOptions, 'languages'>,
  call: ServiceCall,
) => Promise<OcrAnswer>;

/** What is used of an AnnotateImageResponse (Cloud Vision API, v1); a coordinate of 0 is left out there. */
interface Annotations {
  responses?: {
    error?: { code?: number };
    fullTextAnnotation?: { pages?: { blocks?: { paragraphs?: { words?: FoundWord[] }[] }[] }[] };
  }[];
}
interface FoundWord {
  symbols?: { text?: string }[];
  confidence?: number;
  boundingBox?: { vertices?: { x?: number; y?: number }[] };
}

/** Google Cloud Vision: `images:annotate` with the detector for dense text, which returns a box for each word. */
export const askGoogleVision: AskOcr = async ({ baseUrl, apiKey }, image, { languages }, { fetch, signal }) => {
  const content = (await toPng(image)).toString('base64');
  const reply = await fetch(`${baseUrl.replace(/\/$/, '')}/v1/images:annotate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey },
    body: JSON.stringify({
      requests: [
        {
          image: { content },
          features: [{ type: 'DOCUMENT_TEXT_DETECTION' }],
          imageContext: { languageHints: languages },
        },
      ],
    }),
    signal,
  });
  const [answer] = ((await reply.json()) as Annotations | null)?.responses ?? [];
  if (!answer || answer.error) throw new BadAnswer();
  const words = (answer.fullTextAnnotation?.pages ?? [])
    .flatMap(({ blocks = [] }) => blocks)
    .flatMap(({ paragraphs = [] }) => paragraphs)
    .flatMap((paragraph) => paragraph.words ?? []);
  return { words: toWords(words.map(toRaw), image) };
};

function toRaw({ symbols = [], confidence = 0, boundingBox }: FoundWord): RawWord {
  const corners = boundingBox?.vertices ?? [];
  const xs = corners.map(({ x = 0 }) => x);
  const ys = corners.map(({ y = 0 }) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  if (corners.length === 0) throw new BadAnswer();
  return {
    text: symbols.map(({ text = '' }) => text).join(''),
    confidence: confidence * 100,
    ...{ left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top },
  };
}
