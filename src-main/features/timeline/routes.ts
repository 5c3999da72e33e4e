import type { timeline } from '../../../src-shared/contract/timeline.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { TimelineService } from './service.ts';

export const timelineRoutes = (service: TimelineService): Handlers<typeof timeline> => ({
  get: ({ query }, { caller }) => service.get(query, caller),
});
