import { LANGUAGES } from '../../../../src-shared/contract/language-names.ts';
import type { translations as contract } from '../../../../src-shared/contract/translations.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Handlers } from '../../../platform/http/bind.ts';
import type { Documents } from '../service.ts';

interface RouteDeps {
  documents: Pick<Documents, 'translations'>;
  config: Config;
  isAvailable: () => boolean;
}

export const translationRoutes = ({ documents, config, isAvailable }: RouteDeps): Handlers<typeof contract> => ({
  translate: ({ params, body }) => documents.translations.request(params.id, body.llm_provider_id ?? null),
  translateRegion: ({ params, body }) => documents.translations.requestRegion(params.id, body),
  removeRegion: ({ params }) => documents.translations.removeRegion(params.id, params.region_id),
  regionThumbnail: ({ params }) => documents.translations.thumbnail(params.id, params.region_id),
  defaults: () => ({
    target_language: LANGUAGES[config['llm.translation_target_language']],
    allowed_languages: config['llm.translation_allowed_languages'].map((code) => LANGUAGES[code]),
    available: isAvailable(),
  }),
});
