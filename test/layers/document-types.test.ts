import { expect, it } from 'vitest';
import type { SharedDetail } from '../../src-shared/contract/share.ts';
import { DOCUMENT_TYPES } from '../../src-shared/medical/document-type.ts';
import { documentToShare } from '../../src-main/features/shares/health-link/content.ts';
import { recipient as de } from '../../src-renderer/locales/de.ts';
import { recipient as en } from '../../src-renderer/locales/en.ts';

// The core can't import the texts of pages, so it has these names itself.
it.each(Object.entries({ de, en }))('a link for health apps names documents as their page does: %s', (code, texts) => {
  const names = DOCUMENT_TYPES.map((doc_type) => {
    const document = { doc_type, event_date: null, lab_results: [] } as Partial<SharedDetail> as SharedDetail;
    const copy = { mime: 'application/pdf', data: new Uint8Array() };
    return [doc_type, documentToShare(document, copy, { language: code as 'de' | 'en', loincOf: () => null }).type];
  });
  expect(Object.fromEntries(names)).toEqual(texts.types);
});
