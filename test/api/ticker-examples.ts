import { at, type Make } from './example-makers.ts';

/** Nothing of this computer is a device in the home network. */
const OWN = '127.0.0.1:9';
const refused = (path: string, body: object = {}): Make => {
  return () => ({ path, body: { address: OWN, ...body }, answers: 'ticker.address_refused' });
};
/** Devices have ids that are counted up; nobody gets this far. */
const unknownDevice = (tail: string): Make => {
  return () => ({ path: `/api/tickers/source/devices/900000${tail}`, answers: 'ticker.source_device_unknown' });
};
const FIXED = { kind: 'fixed', price: 1.5, currency: 'CHF ' };

/** Calls about tickers. None of them leaves this computer. */
export const TICKER_EXAMPLES: Record<string, Make> = {
  'POST /api/tickers/symbols/search': at('/api/tickers/symbols/search', { text: '""' }),
  'POST /api/tickers/symbols/try': at('/api/tickers/symbols/try', {
    ...{ source: 'cash', symbol: 'AAPL', range: '1d', points: 48 },
  }),
  'GET /api/tickers/firmware': at('/api/tickers/firmware'),
  'GET /api/tickers/firmware/{board}': () => ({
    path: '/api/tickers/firmware/smalltv-esp8266',
    answers: 'ticker.firmware_missing',
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
  'GET /api/tickers/source': at('/api/tickers/source'),
  'PUT /api/tickers/source/state': at('/api/tickers/source/state', { is_on: false }),
  'PUT /api/tickers/source/symbols': at('/api/tickers/source/symbols', { symbol: 'HOUSE', entry: FIXED }),
  'POST /api/tickers/source/try': at('/api/tickers/source/try', { symbol: 'HOUSE', entry: FIXED }),
  'POST /api/tickers/source/devices': at('/api/tickers/source/devices', { name: 'kitchen' }),
  'DELETE /api/tickers/source/devices/{id}': unknownDevice(''),
  'POST /api/tickers/source/devices/{id}/restore': unknownDevice('/restore'),
};
