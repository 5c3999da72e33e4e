import type { prompts } from '../../../src-shared/contract/prompts.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { Prompts } from './service.ts';

export const promptRoutes = (service: Prompts): Handlers<typeof prompts> => ({
  list: () => service.list(),
  save({ params, body }, call) {
    const saved = service.save(params.key, body.text);
    call.setRecordId(saved.key);
    return { ...saved, ok: true };
  },
  reset({ params }, call) {
    const back = service.reset(params.key);
    call.setRecordId(back.key);
    return back;
  },
});
