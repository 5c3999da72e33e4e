import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useFormats } from '../../../client/format.ts';
import { ModelUsage } from '../../../client/model-usage.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { useStages } from './queries.ts';
import { TwoLanguages } from './two-languages.tsx';
import { storyOf, type StageStep } from './stage-story.ts';

const MAX_COLLAPSED_RUNS = 3;

/** The processing history, newest run first, and the path of the file. */
export function History({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const events = useStages(document.id).data ?? [];
  const [text, setText] = useState(false);
  const resultOf = ({ status, duration }: StageStep): string => {
    if (status === 'failed') return t('failed_step');
    if (status === 'cancelled') return t('cancelled_step');
    if (duration === null) return '…';
    return duration < 1000 ? t('under_second') : t('seconds', { seconds: formats.number(duration / 1000) });
  };
  return (
    <section className="rows history">
      <h2>{t('history')}</h2>
      {storyOf(events)
        .slice(0, MAX_COLLAPSED_RUNS)
        .map((run) => (
          <div key={run.startedAt} className="run">
            <p className="cap num" title={formats.momentExact(run.startedAt)}>
              {formats.moment(run.startedAt)}
            </p>
            <ul>
              {run.steps.map((step) => (
                <li key={step.id} className="value-row">
                  <span className={step.status === 'failed' ? 'high' : undefined}>
                    {vocabulary.stage(step.stage)}
                    {step.status === 'failed' && <span className="cap"> {vocabulary.stageError(step)}</span>}
                  </span>
                  <span className="cap num">{resultOf(step)}</span>
                  {step.usage && <ModelUsage usage={step.usage} />}
                </li>
              ))}
            </ul>
          </div>
        ))}
      <p className="mono cap path">{document.file_path}</p>
      {(document.ocr_text || document.ocr_text_en) && (
        <Button size="small" aria-expanded={text} onClick={() => setText(!text)}>
          {text ? t('hide_text') : t('show_text')}
        </Button>
      )}
      {text && (
        <TwoLanguages label={t('text')} english={document.ocr_text_en} original={document.ocr_text} first="original">
          {(fullText) => (
            <pre className="full-text" tabIndex={0}>
              {fullText}
            </pre>
          )}
        </TwoLanguages>
      )}
    </section>
  );
}
