import { Check, Copy, Languages, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BBox } from '../../../src-shared/medical/page.ts';
import type { Word } from './page.ts';
import { textOf, wordsIn } from './text-lines.ts';

interface Props {
  bbox: BBox;
  words: readonly Word[];
  onTranslate: (() => void) | undefined;
  onClose: () => void;
}

/** The text inside the drawn rectangle, with buttons that copy and translate it. */
export function RegionPanel({ bbox, words, onTranslate, onClose }: Props) {
  const { t } = useTranslation('viewer');
  const [isCopied, setCopied] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const selectedWords = wordsIn(words, bbox);
  const text = textOf(selectedWords);

  useEffect(() => panel.current?.focus(), []);
  const copy = () => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  // Place the panel below the rectangle, or above it near the end of the page.
  const below = bbox[1] + bbox[3] < 0.75;
  const style = {
    left: `${Math.min(bbox[0], 0.55) * 100}%`,
    ...(below
      ? { top: `calc(${(bbox[1] + bbox[3]) * 100}% + 8px)` }
      : { bottom: `calc(${(1 - bbox[1]) * 100}% + 8px)` }),
  };
  return (
    <div
      ref={panel}
      className="vw-region-panel"
      style={style}
      role="dialog"
      aria-label={t('region_text')}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onClose();
        }
      }}
    >
      <header>
        <span aria-live="polite">{isCopied ? t('copied') : t('words', { count: selectedWords.length })}</span>
        {text !== '' && (
          <button type="button" className="vw-tool" onClick={copy}>
            {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} {t('copy')}
          </button>
        )}
        {onTranslate && (
          <button
            type="button"
            className="vw-tool"
            onClick={() => {
              onTranslate();
              onClose();
            }}
          >
            <Languages aria-hidden /> {t('translate')}
          </button>
        )}
        <button type="button" className="vw-tool vw-tool-icon" onClick={onClose} aria-label={t('close')}>
          <X aria-hidden />
        </button>
      </header>
      <pre>{text === '' ? t('region_empty') : text}</pre>
    </div>
  );
}
