import { describe, expect, it } from 'vitest';
import type { OcrRow } from '../../../../src-shared/contract/providers.ts';
import { draftOf, entryOf, moved, newDraft } from './provider-draft.ts';

describe('the form of a provider', () => {
  it('sends only the fields of its kind', () => {
    const draft = { ...newDraft('ollama', ' Laptop '), model: 'gemma3 ', timeout: '2,5' };
    expect(entryOf('llm', draft)).toEqual({
      ...{ type: 'ollama', name: 'Laptop', enabled: true, credential_id: null, timeout: 2.5 },
      ...{ base_url: '', model: 'gemma3', api_key: '', price_in: null, price_out: null, price_currency: '' },
    });
    expect(entryOf('llm', { ...draft, priceIn: '0,25', priceOut: '2', priceCurrency: 'eur' })).toMatchObject({
      ...{ price_in: 0.25, price_out: 2, price_currency: 'EUR' },
    });
    expect(entryOf('ocr', { ...newDraft('google_vision', 'Google'), key: 'k' })).toEqual({
      ...{ type: 'google_vision', name: 'Google', enabled: true, credential_id: null, timeout: null },
      ...{ remote_url: '', google_vision_key: 'k' },
    });
  });

  it('shows a saved entry without its key', () => {
    const row: OcrRow = {
      ...{ id: 'o', type: 'tesseract_remote', name: 'Cellar', enabled: false, priority: 1, reach: 'home-network' },
      ...{ credential_id: 'c', remote_url: 'http://cellar.lan', timeout: 60 },
      ...{ has_remote_api_key: true, has_google_vision_key: false, llm_provider: '', llm_model: '' },
    };
    expect(draftOf(row)).toMatchObject({
      address: 'http://cellar.lan',
      key: '',
      hasKey: true,
      timeout: '60',
      credentialId: 'c',
    });
  });
});

it('an entry is moved to another place, and not past the ends', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  expect(moved(['a', 'b', 'c'], 2, 3)).toEqual(['a', 'b', 'c']);
});
