import { at, onDocument, type Make } from './example-makers.ts';

/** The calls of OCR services and models, which need none to run. */
export const PROVIDER_EXAMPLES: Record<string, Make> = {
  'POST /api/documents/{id}/translate': (household) => ({
    ...onDocument('/translate', {})(household),
    answers: 'model.not_set_up',
  }),
  'POST /api/documents/{id}/translate-region': (household) => ({
    ...onDocument('/translate-region', { page: 1, bbox: { x: 0, y: 0, w: 1, h: 0.5 } })(household),
    answers: 'model.not_set_up',
  }),
  'POST /api/documents/{id}/edit-with-ai': (household) => ({
    ...onDocument('/edit-with-ai', { instruction: 'The date is 12 November 2025' })(household),
    answers: 'model.not_set_up',
  }),
  'POST /api/documents/{id}/suggest-links': (household) => ({
    ...onDocument('/suggest-links', {})(household),
    answers: 'model.not_set_up',
  }),
  'POST /api/events/suggest-for-document/{id}': ({ make }) => ({
    ...{ path: `/api/events/suggest-for-document/${make.document()}`, body: {}, answers: 'model.not_set_up' },
  }),
  'DELETE /api/documents/{id}/region-translations/{region_id}': ({ make }) => {
    const document = make.document();
    return { path: `/api/documents/${document}/region-translations/${make.region(document)}` };
  },
  'GET /api/documents/{id}/region-translations/{region_id}/thumbnail': ({ make }) => {
    const document = make.document();
    return { path: `/api/documents/${document}/region-translations/${make.region(document)}/thumbnail` };
  },
  'GET /api/settings/translation-defaults': at('/api/settings/translation-defaults'),
  'GET /api/settings/llm-providers': at('/api/settings/llm-providers'),
  'PUT /api/settings/llm-providers': at('/api/settings/llm-providers', [
    { id: 'builtin', type: 'builtin', name: 'Hearth' },
  ]),
  'GET /api/settings/ocr-providers': at('/api/settings/ocr-providers'),
  'PUT /api/settings/ocr-providers': at('/api/settings/ocr-providers', [{ type: 'tesseract', name: 'Tesseract' }]),
  'GET /api/settings/vision-providers': at('/api/settings/vision-providers'),
  'PUT /api/settings/vision-providers': at('/api/settings/vision-providers', [
    { type: 'ollama', name: 'Ollama', model: 'gemma3', enabled: false },
  ]),
  'POST /api/settings/try-llm-provider': ({ make }) => ({
    path: '/api/settings/try-llm-provider',
    body: { provider_id: 'builtin', document_ids: [make.document()] },
  }),
  'GET /api/settings/model-usage': at('/api/settings/model-usage'),
  'GET /api/settings/local-models': at('/api/settings/local-models'),
  'GET /api/settings/credentials': at('/api/settings/credentials'),
  'PUT /api/settings/credentials': at('/api/settings/credentials', [{ type: 'ollama', name: 'Ollama' }]),
  'GET /api/settings/embedding-model': at('/api/settings/embedding-model'),
  'PUT /api/settings/embedding-model': at('/api/settings/embedding-model', { type: null }),
  'GET /api/settings/general-llm': at('/api/settings/general-llm'),
  'PUT /api/settings/general-llm': at('/api/settings/general-llm', { type: null }),
  'POST /api/settings/test-llm-provider': at('/api/settings/test-llm-provider', { provider_id: 'builtin' }),
  'POST /api/settings/test-ocr-provider': at('/api/settings/test-ocr-provider', {
    provider: { type: 'google_vision', name: 'Google' },
  }),
  'POST /api/settings/test-vision-provider': at('/api/settings/test-vision-provider', {
    provider: { type: 'vllm', name: 'vLLM' },
  }),
};
