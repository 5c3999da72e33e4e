import type { vaultFiles as contract } from '../../../src-shared/contract/vault-files.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { VaultChecks } from './check.ts';
import type { VaultFiles } from './service.ts';

export const vaultRoutes = ({
  files,
  checks,
}: {
  files: VaultFiles;
  checks: VaultChecks;
}): Handlers<typeof contract> => ({
  tree: ({ query }, { caller, signal }) => files.tree(query, caller, signal),
  async remove({ query }, call) {
    const removed = await files.remove(query.path, call.caller);
    if (removed.document_id !== null) call.setRecordId(removed.document_id as number);
    return removed;
  },
  move({ body }, call) {
    const result = files.move(body, call.caller);
    call.note({ documents: result.affected_documents.length });
    return result;
  },
  check: (_input, { caller }) => checks.state(caller),
  startCheck: (_input, { caller }) => checks.start(caller),
  stopCheck: (_input, { caller }) => checks.stop(caller),
});
