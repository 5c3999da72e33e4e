import type { readerTrials as contract, ReaderTrial } from '../../../../src-shared/contract/reader-trials.ts';
import type { StageUsage } from '../../../../src-shared/contract/rows.ts';
import type { AccessRules } from '../../../platform/access/access.ts';
import type { Handlers } from '../../../platform/http/bind.ts';
import type { ReaderProvider } from '../../../reading/providers/provider.ts';
import type { Providers } from '../../../reading/providers/registry.ts';
import { addUsage } from '../../../reading/providers/usage.ts';
import type { ProviderSettings } from './service.ts';

interface RouteDeps {
  settings: Pick<ProviderSettings, 'complete' | 'find'>;
  providers: Pick<Providers, 'readerOf'>;
  access: Pick<AccessRules, 'require'>;
  /** Reads a document, and compares what was found with what is stored. */
  tryReader: (id: number, reader: ReaderProvider, signal: AbortSignal) => Promise<ReaderTrial>;
}

export const trialRoutes = ({ settings, providers, access, tryReader }: RouteDeps): Handlers<typeof contract> => ({
  async tryReader({ body }, { caller, signal, note }) {
    const ids = [...new Set(body.document_ids)];
    // Its words go to the model, as when the document is read again.
    for (const id of ids) access.require({ document: 'write' }, caller, id);
    note({ documents: ids.length });
    const entry = 'provider' in body ? settings.complete('llm', body.provider) : settings.find('llm', body.provider_id);
    let usage: StageUsage | null = null;
    const onUsage = (more: StageUsage): void => void (usage = addUsage(usage, more));
    const reader = providers.readerOf(entry, body.prompts ?? {}, { onUsage });
    const trials: ReaderTrial[] = [];
    for (const id of ids) {
      if (signal.aborted) break;
      trials.push(await tryReader(id, reader, signal));
    }
    return { trials, usage };
  },
});
