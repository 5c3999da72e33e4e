import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  query: string;
  count: number;
  /** Index of the current hit. */
  at: number;
  /** Whether no page has text yet. */
  isTextless: boolean;
  /** Number of requests to open the bar; each one focuses the field. */
  focusRequests: number;
  onQuery: (query: string) => void;
  onStep: (direction: 1 | -1) => void;
  onClose: () => void;
}

/** The search bar of a document: Enter and Shift+Enter step through hits, Escape closes. */
export function FindBar({ query, count, at, isTextless, focusRequests, onQuery, onStep, onClose }: Props) {
  const { t } = useTranslation('viewer');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusRequests > 0) field.current?.select();
  }, [focusRequests]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const stateText = (): string => {
    if (isTextless) return t('no_text');
    if (query.trim() === '') return '';
    return count === 0 ? t('no_hits') : t('hit_of', { at: at + 1, count });
  };
  return (
    <div className="vw-find" role="search" aria-label={t('find')} onKeyDown={onKey}>
      <input
        ref={field}
        type="text"
        value={query}
        placeholder={t('find_placeholder')}
        aria-label={t('find_placeholder')}
        onChange={(event) => onQuery(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <span className="vw-find-count num" aria-live="polite">
        {stateText()}
      </span>
      <button
        type="button"
        className="vw-tool vw-tool-icon"
        disabled={count === 0}
        onClick={() => onStep(-1)}
        aria-label={t('previous_hit')}
      >
        <ChevronUp aria-hidden />
      </button>
      <button
        type="button"
        className="vw-tool vw-tool-icon"
        disabled={count === 0}
        onClick={() => onStep(1)}
        aria-label={t('next_hit')}
      >
        <ChevronDown aria-hidden />
      </button>
      <button type="button" className="vw-tool vw-tool-icon" onClick={onClose} aria-label={t('close_find')}>
        <X aria-hidden />
      </button>
    </div>
  );
}
