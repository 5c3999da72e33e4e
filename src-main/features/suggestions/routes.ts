import type { suggestions as contract } from '../../../src-shared/contract/suggestions.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Suggestions } from './service.ts';

export const suggestionRoutes = (service: Suggestions): Handlers<typeof contract> => ({
  editWithAi: ({ params, body }, { signal }) => service.edit(params.id, body, signal),
  links: ({ params }, { signal }) => service.links(params.id, signal),
  event: ({ params }, { signal }) => service.event(params.id, signal),
});
