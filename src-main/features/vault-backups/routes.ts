import type { vaultBackups as contract } from '../../../src-shared/contract/vault-backups.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { VaultBackups } from './service.ts';

export const backupRoutes = (service: VaultBackups): Handlers<typeof contract> => ({
  download: ({ query }, { signal }) => service.download(query.secrets === 'include', signal),
  list: () => service.overview(),
  folders: ({ query }) => service.folders(query.path),
  makeFolder: ({ body }) => service.makeFolder(body.path),
  plan: ({ body }) => service.savePlan(body),
  run: () => service.run(),
  stop: () => service.stop(),
  verify: ({ params }) => service.verify(params.id),
  drill: ({ params }) => service.drill(params.id),
  restore: ({ params }) => service.restore(params.id),
  remove: ({ params }) => service.remove(params.id),
});
