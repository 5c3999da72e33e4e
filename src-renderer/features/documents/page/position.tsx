import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useTopBar } from '../../../ui/top-bar-places.tsx';
import { useAnnounce } from '../../../ui/live-region.tsx';
import { useNeighbours } from './neighbours.ts';
import './position.css';

/**
 * Which of how many documents of the list is open, in the top bar; its buttons, `j` and `k` open the next and the
 * previous one. It stays mounted from document to document, so that the focus does too.
 */
export function Position({ id }: { id: number }) {
  const { t } = useTranslation();
  const { previous, next, position } = useNeighbours(id)();
  const navigate = useNavigate();
  const nav = useRef<HTMLElement>(null);
  const goTo = (target: number | null): void => {
    if (target === null) return;
    // The focused control goes away with its document; without another place the focus would fall back to the start.
    if (!nav.current?.contains(document.activeElement))
      document.getElementById('content')?.focus({ preventScroll: true });
    void navigate({ to: '/documents/$id', params: { id: String(target) }, replace: true });
  };
  useShortcuts({ j: () => goTo(next), k: () => goTo(previous) });
  const text = position ? t('documents.position', position) : '';
  useSpokenChange(id, text);
  const slot = useTopBar('tools');
  if (!slot || !position) return null;
  return createPortal(
    <nav ref={nav} className="position" aria-label={t('documents.in_list')}>
      <IconButton
        glyph={ChevronUp}
        label={t('documents.previous')}
        keys="k"
        aria-disabled={previous === null}
        onClick={() => goTo(previous)}
      />
      <span className="cap num">{text}</span>
      <IconButton
        glyph={ChevronDown}
        label={t('documents.next')}
        keys="j"
        aria-disabled={next === null}
        onClick={() => goTo(next)}
      />
    </nav>,
    slot,
  );
}

/** Says the position when another document opens. */
function useSpokenChange(id: number, text: string): void {
  const announce = useAnnounce();
  const spoken = useRef(id);
  useEffect(() => {
    if (spoken.current !== id) announce(text);
    spoken.current = id;
  }, [announce, id, text]);
}
