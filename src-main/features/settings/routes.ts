import type { settings } from '../../../src-shared/contract/settings.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Settings } from './service.ts';

export const settingsRoutes = (service: Settings): Handlers<typeof settings> => ({
  get: () => service.view(),
  update({ body }, call) {
    const { view, changed } = service.save(body);
    call.note({ changed });
    return { ...view, status: 'saved', changes: changed };
  },
  viewPreferences: ({ params }, { caller }) => service.viewPreferences(caller.userId, params.view_key),
  saveViewPreferences: ({ params, body }, { caller }) =>
    service.saveViewPreferences(caller.userId, params.view_key, body),
});
