import type { trash as contract } from '../../../src-shared/contract/trash.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { TrashService } from './service.ts';

export const trashRoutes = (service: TrashService): Handlers<typeof contract> => ({
  list: (_input, { caller }) => service.list(caller),
  restore: ({ params }, { caller }) => service.restore(params.id, caller),
  purge: ({ params }) => service.purge(params.id),
});
