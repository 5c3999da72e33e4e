import type { tickers } from '../../../src-shared/contract/tickers.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { TickerNetwork } from './network.ts';

export const tickerRoutes = (network: TickerNetwork): Handlers<typeof tickers> => ({
  search: ({ body }) => network.search(body.text),
  tryQuote: ({ body }) => network.tryOut(body),
  discover: ({ body }) => network.discover(body.seconds),
  readDevice: ({ body }) => network.read(body),
  writeDevice: ({ body }) => network.write(body),
  actDevice: ({ body }) => network.act(body),
  updateDevice: ({ receive }) => network.update(receive),
});
