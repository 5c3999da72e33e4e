import { useTranslation } from 'react-i18next';
import { LANGUAGES, type LanguageCode } from '../../../../src-shared/contract/language-names.ts';
import { OCR_ENGINE_CHOICES, type SettingName } from '../../../../src-shared/contract/setting-keys.ts';
import { useMe } from '../../../client/session.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSettings } from '../queries.ts';
import { SettingForm } from '../setting-form.tsx';
import { CredentialsPanel } from './credentials.tsx';
import { GeneralModelPanel } from './general-model.tsx';
import { MeaningPanel } from './meaning.tsx';
import { ModelUsePanel } from './model-use.tsx';
import { PipelinePanel } from './pipeline.tsx';
import { ReaderTrialPanel } from './reader-trial.tsx';
import { ProvidersPanel } from './providers.tsx';

const INBOX_SETTINGS = [
  'pipeline_default_flow',
  'pipeline_watch_enabled',
  'pipeline_poll_interval',
  'pipeline_retry_interval',
  'pipeline_max_retries',
] as const satisfies readonly SettingName[];

const FLOWS = ['ocr_llm', 'vision_llm'] as const;

const PRIVACY_SETTINGS = ['nothing_leaves', 'cloud_ocr_enabled'] as const;

/** For services without limits of their own. */
const LIMIT_SETTINGS = [
  'extraction_timeout',
  'llm_max_concurrent_requests',
  'llm_max_retries',
  'llm_retry_backoff_seconds',
  'vision_extraction_timeout',
  'vision_max_concurrent_requests',
  'vision_max_retries',
  'vision_retry_backoff_seconds',
] as const;

/** The settings of recognition, with those of the engine. */
function ocrSettings(engine: string): SettingName[] {
  const common: SettingName[] = ['ocr_engine', 'ocr_language', 'ocr_confidence_threshold'];
  if (engine === 'google_vision') return [...common, 'google_vision_key'];
  if (engine === 'llm_vision') return [...common, 'llm_vision_provider', 'llm_vision_model', 'llm_vision_ollama_url'];
  return engine === 'tesseract_remote' ? [...common, 'ocr_remote_url', 'ocr_remote_api_key'] : common;
}

/** The reading section: the pipeline, and for administrators its settings. */
export default function ReadingSection() {
  const { t, i18n } = useTranslation('settings');
  const isAdmin = useMe()?.role === 'admin';
  const { data } = useSettings();
  const engine = data?.ocr_engine ?? 'auto';
  const engines: { value: string; label: string }[] = OCR_ENGINE_CHOICES.map((value) => ({
    value,
    label: t(`engine_${value}`),
  }));
  // Keep a saved alias as an option, although aliases are not offered.
  if (!engines.some(({ value }) => value === engine)) engines.push({ value: engine, label: engine });
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const codes = Object.keys(LANGUAGES) as LanguageCode[];
  const languages = codes.map((value) => ({ value, label: names.of(value) ?? LANGUAGES[value] }));
  return (
    <>
      <PipelinePanel />
      {isAdmin && (
        <>
          <Panel title={t('privacy')}>
            <SettingForm names={PRIVACY_SETTINGS} />
          </Panel>
          <ProvidersPanel kind="llm" />
          <ProvidersPanel kind="ocr" />
          <ProvidersPanel kind="vision" />
          <GeneralModelPanel />
          <MeaningPanel />
          <CredentialsPanel />
          <ReaderTrialPanel />
          <ModelUsePanel />
          <Panel title={t('inbox')}>
            <SettingForm
              names={INBOX_SETTINGS}
              choices={{ pipeline_default_flow: FLOWS.map((value) => ({ value, label: t(`flow_${value}`) })) }}
            />
          </Panel>
          <Panel title={t('recognition')}>
            <SettingForm names={ocrSettings(engine)} choices={{ ocr_engine: engines }} />
          </Panel>
          <Panel title={t('limits')}>
            <SettingForm names={LIMIT_SETTINGS} />
          </Panel>
          <Panel title={t('languages')}>
            <SettingForm
              names={['canonical_language', 'translation_target_language', 'translation_allowed_languages']}
              choices={{ canonical_language: languages, translation_target_language: languages }}
            />
          </Panel>
        </>
      )}
    </>
  );
}
