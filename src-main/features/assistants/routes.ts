import type { assistants } from '../../../src-shared/contract/assistants.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { isCallerHere } from '../../platform/http/origin.ts';
import type { Assistants } from './service.ts';

export const assistantRoutes = (service: Assistants): Handlers<typeof assistants> => ({
  get: (_input, call) => service.overview(call.caller, isCallerHere(call)),
  allow: ({ params }, { caller }) => service.allow(params.id, caller),
  revoke: ({ params }, { caller }) => service.revoke(params.id, caller),
});
