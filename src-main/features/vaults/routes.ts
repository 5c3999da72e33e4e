import type { vaults as contract } from '../../../src-shared/contract/vaults.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Vaults } from './service.ts';

export const vaultsRoutes = (service: Vaults): Handlers<typeof contract> => ({
  overview: () => service.overview(),
  open: ({ body }) => service.open(body),
  move: ({ body }) => service.move(body),
  stop: () => service.stop(),
  forget: ({ body }) => service.forget(body),
});
