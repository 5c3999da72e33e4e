import { at, type Make } from './example-makers.ts';

/** Nothing of this computer is a device in the home network. */
const OWN = '127.0.0.1:9';
const refused = (path: string, body: object = {}): Make => {
  return () => ({ path, body: { address: OWN, ...body }, answers: 'ticker.address_refused' });
};

/** Calls about tickers. None of them leaves this computer. */
export const TICKER_EXAMPLES: Record<string, Make> = {
  'POST /api/tickers/symbols/search': at('/api/tickers/symbols/search', { text: '""' }),
  'POST /api/tickers/symbols/try': at('/api/tickers/symbols/try', {
    ...{ source: 'cash', symbol: 'AAPL', range: '1d', points: 48 },
  }),
  'POST /api/tickers/discover': at('/api/tickers/discover', { seconds: 0 }),
  'POST /api/tickers/device': refused('/api/tickers/device'),
  'POST /api/tickers/device/settings': refused('/api/tickers/device/settings', { document: { brightness: 50 } }),
  'POST /api/tickers/device/action': refused('/api/tickers/device/action', { action: 'refresh' }),
  'POST /api/tickers/device/update': ({ make }) => ({
    path: '/api/tickers/device/update',
    file: make.pdf(),
    answers: 'ticker.address_refused',
  }),
};
