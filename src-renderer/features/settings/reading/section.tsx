import { useTranslation } from 'react-i18next';
import {
  LANGUAGES,
  OCR_ENGINE_CHOICES,
  type LanguageCode,
  type SettingName,
} from '../../../../src-shared/contract/setting-keys.ts';
import { useMe } from '../../../client/session.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSettings } from '../queries.ts';
import { SettingForm } from '../setting-form.tsx';
import { PipelinePanel } from './pipeline.tsx';

const INBOX_SETTINGS = [
  'pipeline_watch_enabled',
  'pipeline_poll_interval',
  'pipeline_retry_interval',
  'pipeline_max_retries',
] as const satisfies readonly SettingName[];

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
  return (
    <>
      <PipelinePanel />
      {isAdmin && (
        <>
          <Panel title={t('inbox')}>
            <SettingForm names={INBOX_SETTINGS} />
          </Panel>
          <Panel title={t('recognition')}>
            <SettingForm names={['ocr_engine', 'ocr_language']} choices={{ ocr_engine: engines }} />
          </Panel>
          <Panel title={t('languages')}>
            <SettingForm
              names={['canonical_language']}
              choices={{
                canonical_language: codes.map((value) => ({ value, label: names.of(value) ?? LANGUAGES[value] })),
              }}
            />
          </Panel>
        </>
      )}
    </>
  );
}
