import type { today as contract } from '../../../src-shared/contract/today.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { TodayService } from './service.ts';

export const todayRoutes = (service: TodayService): Handlers<typeof contract> => ({
  overview: ({ query }, { caller }) => service.overview(query, caller),
});
