import { createHash } from 'node:crypto';
import type { tickers } from '../../../src-shared/contract/tickers.ts';
import type { tickerSourceList } from '../../../src-shared/contract/ticker-source.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { isCallerHere } from '../../platform/http/origin.ts';
import type { TickerNetwork } from './network.ts';
import type { TickerSourceService } from './source-service.ts';

export const tickerRoutes = (network: TickerNetwork): Handlers<typeof tickers> => ({
  search: ({ body }) => network.search(body.text),
  tryQuote: ({ body }) => network.tryOut(body),
  listFirmware: () => network.listImages(),
  readFirmware: async ({ params }) => {
    const data = await network.readImage(params.board);
    return {
      kind: 'made',
      etag: createHash('sha256').update(data).digest('hex'),
      make: () => Promise.resolve({ data, type: 'application/octet-stream' }),
    };
  },
  discover: ({ body }) => network.discover(body.seconds),
  readDevice: ({ body }) => network.read(body),
  writeDevice: ({ body }) => network.write(body),
  actDevice: ({ body }) => network.act(body),
  updateDevice: ({ receive }) => network.update(receive),
});

export const tickerSourceRoutes = (service: TickerSourceService): Handlers<typeof tickerSourceList> => ({
  get: (_input, call) => service.view(isCallerHere(call)),
  turn: ({ body }, call) => service.turn(body.is_on, isCallerHere(call)),
  setSymbol: ({ body }, call) => service.setSymbol(body, isCallerHere(call)),
  tryEntry: ({ body }) => service.tryEntry(body),
  addDevice: ({ body }, call) => service.addDevice(body.name, isCallerHere(call)),
  removeDevice: ({ params }, call) => service.removeDevice(params.id, isCallerHere(call)),
  restoreDevice: ({ params }, call) => service.restoreDevice(params.id, isCallerHere(call)),
});
