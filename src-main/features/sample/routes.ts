import type { sample as contract } from '../../../src-shared/contract/sample.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { SampleService } from './service.ts';

export const sampleRoutes = (service: SampleService): Handlers<typeof contract> => ({
  status: () => service.status(),
  open(_input, { language }) {
    service.open(language);
    return { ok: true };
  },
  close() {
    service.close();
    return { ok: true };
  },
});
