import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const PORTAL_URL = 'https://www.cash.ch/_/api/graphql/prod';

const ATTEMPTS = 3;
const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
/** 400 closes have about 10 kB; larger responses are rejected. */
const MAX_BYTES = 2 ** 20;

/** The portal sent no usable response; `again` says whether a retry can help. */
export class PortalError extends Error {
  /** @param {string} message @param {{ again: boolean, afterMs?: number }} how */
  constructor(message, { again, afterMs }) {
    super(message);
    this.again = again;
    this.afterMs = afterMs;
  }
}

/**
 * The portal sends numbers as text.
 * @typedef {object} QuoteNode
 * @property {unknown} [lval]
 * @property {unknown} [iNetVperprV]
 * @property {unknown} [perfPercentage]
 * @property {unknown} [mCur]
 * @property {unknown} [mShortName]
 *
 * @typedef {object} Portal
 * @property {(key: string) => Promise<QuoteNode | undefined>} quote
 * @property {(key: string, closes: number) => Promise<unknown[]>} series
 */

/** @param {string} key a valid listing key */
const quoteDocument = (key) =>
  `query{quoteList(listingKeys:"${key}"){quoteList{edges{node{...on Instrument{lval iNetVperprV ` +
  'perfPercentage mCur mShortName}}}}}}';
/** @param {string} key a valid listing key @param {number} closes */
const seriesDocument = (key, closes) =>
  `query{integration{solid{chart(listingKey:"${key}" frequency:"1d" from:"2020-01-01" ` +
  `to:"2100-01-01" max:"${closes}"){timeserie{prices{close}}}}}}`;

/**
 * The portal on the network. Each request has a timeout and is retried with exponential back-off and jitter if that can
 * help.
 * @param {{ url: string, random?: () => number, pause?: (ms: number) => Promise<unknown>, timeoutMs?: number }} options
 * @returns {Portal}
 */
export function livePortal({ url, random = Math.random, pause = sleep, timeoutMs = TIMEOUT_MS }) {
  /** @param {string} document */
  const ask = async (document) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await askOnce(`${url}?query=${encodeURIComponent(document)}`, timeoutMs);
      } catch (error) {
        if (!(error instanceof PortalError) || !error.again || attempt === ATTEMPTS) throw error;
        const growing = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + random());
        await pause(Math.min(MAX_PAUSE_MS, Math.max(growing, error.afterMs ?? 0)));
      }
    }
  };
  return {
    quote: async (key) => quoteIn(await ask(quoteDocument(key))),
    series: async (key, closes) => closesIn(await ask(seriesDocument(key, closes))),
  };
}

/**
 * Recorded responses from a folder instead of the network: `<key>.quote.json` and `<key>.series.json`.
 * @param {string} folder
 * @returns {Portal}
 */
export function recordedPortal(folder) {
  /** @param {string} name */
  const read = (name) => {
    try {
      return JSON.parse(readFileSync(join(folder, name), 'utf8'));
    } catch (error) {
      throw new PortalError(`no recorded answer ${name}: ${/** @type {Error} */ (error).message}`, { again: false });
    }
  };
  return {
    quote: async (key) => quoteIn(read(`${key}.quote.json`)),
    series: async (key) => closesIn(read(`${key}.series.json`)),
  };
}

/** @param {string} url @param {number} timeoutMs @returns {Promise<unknown>} */
async function askOnce(url, timeoutMs) {
  let response;
  let text;
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'Hearth-Quotes/1' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = response.ok ? await textOf(response) : '';
  } catch (error) {
    if (error instanceof PortalError) throw error;
    const { name, cause, message } = /** @type {Error & { cause?: { code?: string } }} */ (error);
    throw new PortalError(
      name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : `not reached (${cause?.code ?? message})`,
      { again: true },
    );
  }
  if (!response.ok) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after'));
    throw new PortalError(`the portal answered ${response.status}`, {
      again: response.status === 429 || response.status >= 500,
      ...(seconds > 0 && { afterMs: seconds * 1000 }),
    });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new PortalError('the answer is not JSON', { again: true });
  }
}

/** @param {Response} response */
async function textOf(response) {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new PortalError(`the answer is larger than ${MAX_BYTES} bytes`, { again: false });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** @param {any} answer @returns {QuoteNode | undefined} */
const quoteIn = (answer) => answer?.data?.quoteList?.quoteList?.edges?.[0]?.node ?? undefined;

/** @param {any} answer @returns {unknown[]} */
function closesIn(answer) {
  const prices = answer?.data?.integration?.solid?.chart?.timeserie?.prices;
  return Array.isArray(prices) ? prices.map((price) => price?.close) : [];
}
