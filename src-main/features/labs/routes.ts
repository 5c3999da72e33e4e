import type { labs as contract } from '../../../src-shared/contract/labs.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Labs } from './service.ts';

export const labRoutes = ({ reading, edits }: Labs): Handlers<typeof contract> => ({
  list: ({ query }, { caller }) => reading.list(query, caller),
  orphans: ({ query }, { caller }) => reading.orphans(query, caller),
  timeline: ({ query }) => reading.timeline(query),
  summary: ({ query }) => reading.summary(query),
  household: (_input, { caller }) => reading.household(caller),
  series: ({ query }) => reading.series(query),
  create({ body }, call) {
    const created = edits.create(body, call.caller);
    call.setRecordId(created.id);
    return created;
  },
  update: ({ params, body }, { caller }) => edits.update(params.id, body, caller),
  remove: ({ params }, { caller }) => edits.remove(params.id, caller),
});
