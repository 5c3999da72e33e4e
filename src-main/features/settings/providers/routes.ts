import type { ProviderTest, providers as contract } from '../../../../src-shared/contract/providers.ts';
import type { ProviderKind } from '../../../../src-shared/contract/provider-types.ts';
import { textOfError } from '../../../../src-shared/contract/errors.ts';
import type { Handlers } from '../../../platform/http/bind.ts';
import type { Providers } from '../../../reading/providers/registry.ts';
import type { UsageLog } from '../../../reading/providers/usage-repository.ts';
import type { AnyInput, ProviderSettings } from './service.ts';

interface RouteDeps {
  settings: ProviderSettings;
  providers: Pick<Providers, 'tryOut' | 'general' | 'local'>;
  usage: Pick<UsageLog, 'recent'>;
}

type TestBody = { provider_id: string } | { provider: AnyInput };

export function providerRoutes({ settings, providers, usage }: RouteDeps): Handlers<typeof contract> {
  const save = (kind: ProviderKind, entries: readonly AnyInput[], note: (details: Record<string, unknown>) => void) => {
    const count = settings.save(kind, entries);
    note({ changed: [`${kind}_providers`] });
    return { status: 'saved' as const, count };
  };
  const test = async (kind: ProviderKind, body: TestBody, signal: AbortSignal): Promise<ProviderTest> => {
    const entry = 'provider' in body ? settings.complete(kind, body.provider) : settings.find(kind, body.provider_id);
    const trial = await providers.tryOut(kind, entry, signal);
    return trial.ok
      ? { ok: true, detail: trial.found, took_ms: trial.tookMs }
      : { ok: false, error: textOfError(trial.error), failure: trial.error, took_ms: trial.tookMs };
  };
  return {
    llm: () => settings.llm(),
    saveLlm: ({ body }, { note }) => save('llm', body, note),
    ocr: () => settings.ocr(),
    saveOcr: ({ body }, { note }) => save('ocr', body, note),
    vision: () => settings.vision(),
    saveVision: ({ body }, { note }) => save('vision', body, note),
    async localModels() {
      const { folder, files, availableBytes } = providers.local;
      return { folder, free_bytes: Math.round(availableBytes()), models: await files() };
    },
    credentials: () => settings.credentials(),
    saveCredentials({ body }, call) {
      const count = settings.saveCredentials(body);
      call.note({ changed: ['credentials'] });
      return { status: 'saved', count };
    },
    general: () => settings.generalRow(providers.general.isAvailable()),
    saveGeneral({ body }, call) {
      settings.saveGeneral(body);
      call.note({ changed: ['general_llm'] });
      return { status: 'saved' };
    },
    modelUsage: () => usage.recent(),
    testLlm: ({ body }, { signal }) => test('llm', body, signal),
    testOcr: ({ body }, { signal }) => test('ocr', body, signal),
    testVision: ({ body }, { signal }) => test('vision', body, signal),
  };
}
