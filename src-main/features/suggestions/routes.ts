import type { suggestions as contract } from '../../../src-shared/contract/suggestions.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Suggestions } from './service.ts';

/** Routes of what a model proposes. It may think for minutes: who lost the record meanwhile gets nothing of it. */
export function suggestionRoutes(
  service: Suggestions,
  access: Pick<AccessRules, 'require'>,
): Handlers<typeof contract> {
  const thenCheck = async <T>(proposing: Promise<T>, caller: UserCaller, id: number): Promise<T> => {
    const proposal = await proposing;
    access.require({ document: 'write' }, caller, id);
    return proposal;
  };
  return {
    editWithAi: ({ params, body }, { caller, signal }) =>
      thenCheck(service.edit(params.id, body, signal), caller, params.id),
    links: ({ params }, { caller, signal }) => thenCheck(service.links(params.id, signal), caller, params.id),
    event: ({ params }, { caller, signal }) => thenCheck(service.event(params.id, signal), caller, params.id),
  };
}
