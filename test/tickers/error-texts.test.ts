import { describe, expect, test } from 'vitest';
import { messages as german } from '../../src-renderer/locales/de.ts';
import { messages as english } from '../../src-renderer/locales/en.ts';
import { fillIn } from '../../src-shared/contract/error-text.ts';
import { TICKER_ERRORS } from '../../src-shared/contract/error-codes-of-tickers.ts';
import type { TickerErrorCode } from '../../src-shared/ticker/flash/ticker-error.ts';
import { TICKER_ERROR_ROWS } from '../support/ticker-error-rows.ts';

const CODES = Object.keys(TICKER_ERRORS) as TickerErrorCode[];
const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name));

describe.each([
  ['English', 'en', english.errors],
  ['German', 'de', german.errors],
] as const)('failures of the ticker bench in %s', (_, language, texts) => {
  test.each(CODES)('%s says what happened and what to do, with all that it knows', (code) => {
    const { params, [language]: toDo } = TICKER_ERROR_ROWS[code];
    expect(namesIn(texts[code])).toEqual(new Set(Object.keys(params)));
    const text = fillIn(texts[code], params);
    for (const value of Object.values(params)) expect(text).toContain(String(value));
    expect(text).toContain(toDo);
    expect(text).toMatch(/^[^{}]+\.$/);
  });
});
