import type { chat } from '../../../src-shared/contract/chat.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Ask } from './service.ts';

export const chatRoutes = (service: Ask): Handlers<typeof chat> => ({
  ask: ({ body }, { caller, signal, sendPart }) =>
    service.ask(body, caller, { signal, onText: (text) => sendPart({ text }) }),
  history: ({ query }, { caller }) => service.list(query, caller),
  clear: ({ query }, { caller }) => service.clear(query, caller),
  restore: ({ query }, { caller }) => service.restore(query, caller),
  suggestions: ({ query }) => service.suggest(query),
});
