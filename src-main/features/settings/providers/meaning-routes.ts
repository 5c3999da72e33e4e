import type { EmbeddingRow, meaning as contract } from '../../../../src-shared/contract/meaning.ts';
import type { Handlers } from '../../../platform/http/bind.ts';
import { fail } from '../../../platform/kernel/errors.ts';
import { errorOf, type FailedOutcome } from '../../../reading/providers/provider.ts';
import type { ProviderSettings } from './service.ts';

interface RouteDeps {
  settings: Pick<ProviderSettings, 'embeddingRow' | 'saveEmbedding'>;
  /** The search by meaning. */
  search: {
    canCompare(): Promise<boolean>;
    status(): { state: EmbeddingRow['state']; failure: FailedOutcome | null };
    wake(): void;
  };
}

export const meaningRoutes = ({ settings, search }: RouteDeps): Handlers<typeof contract> => ({
  async show() {
    const row = settings.embeddingRow(await search.canCompare());
    const { state, failure } = search.status();
    return {
      ...row,
      state: row.configured ? state : 'off',
      failure: row.configured && failure ? errorOf(failure) : null,
    };
  },
  async save({ body }, { note }) {
    if (body.type !== null && !(await search.canCompare())) throw fail('chat.no_vectors');
    settings.saveEmbedding(body);
    search.wake();
    note({ changed: ['embedding_model'] });
    return { status: 'saved' };
  },
});
