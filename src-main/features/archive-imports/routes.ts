import type { archiveImports as contract } from '../../../src-shared/contract/archive-imports.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { ArchiveImports } from './service.ts';

export const archiveImportRoutes = (service: ArchiveImports): Handlers<typeof contract> => ({
  list: (_input, { caller }) => service.list(caller),
  async begin({ body }, call) {
    const begun = await service.begin(body, call.caller);
    call.setRecordId(begun.id);
    return begun;
  },
  get: ({ params }, { caller }) => service.get(params.id, caller),
  items: ({ params, query }, { caller }) => service.items(params.id, query, caller),
  report: ({ params }, { caller }) => service.report(params.id, caller),
  run: ({ params }, { caller }) => service.run(params.id, caller),
  stop: ({ params }, { caller }) => service.stop(params.id, caller),
  undo: ({ params }, { caller }) => service.undo(params.id, caller),
  remove: ({ params }, { caller }) => service.remove(params.id, caller),
});
