import { isOnlyHere, SETTING_NAMES } from '../../../src-shared/contract/setting-keys.ts';
import type { settings } from '../../../src-shared/contract/settings.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import { isCallerHere } from '../../platform/http/origin.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Settings } from './service.ts';

/** `hasVision` tells whether a model for pictures can be used. */
export const settingsRoutes = (service: Settings, hasVision: () => boolean): Handlers<typeof settings> => ({
  get: () => service.view(),
  update({ body }, call) {
    if (!isCallerHere(call) && SETTING_NAMES.some((name) => isOnlyHere(name) && body[name] !== undefined))
      throw fail('settings.only_here');
    if (body.pipeline_default_flow === 'vision_llm' && !hasVision()) throw fail('settings.no_vision_model');
    const { view, changed } = service.save(body);
    call.note({ changed });
    return { ...view, status: 'saved', changes: changed };
  },
  viewPreferences: ({ params }, { caller }) => service.viewPreferences(caller.userId, params.view_key),
  saveViewPreferences: ({ params, body }, { caller }) =>
    service.saveViewPreferences(caller.userId, params.view_key, body),
});
