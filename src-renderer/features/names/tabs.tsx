import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { NAME_TYPES, type NameType } from '../../../src-shared/contract/names.ts';
import { useFormats } from '../../client/format.ts';
import { Tag } from '../../ui/chip.tsx';
import { useOverview } from './queries.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrow keys select the tab beside the focused one, as in the tabs pattern of the ARIA authoring practices. */
function moveBetweenTabs(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = STEPS[event.key];
  const list = event.currentTarget.closest('[role="tablist"]');
  const tabs = [...(list?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])];
  const at = tabs.indexOf(event.currentTarget);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}

/** The six kinds with their number of entries and of unreviewed aliases. */
export function TypeTabs({ type, onChoose }: { type: NameType; onChoose: (type: NameType) => void }) {
  const { t } = useTranslation('names');
  const formats = useFormats();
  const list = useRef<HTMLDivElement>(null);
  // On narrow screens the list scrolls sideways; keep the selected kind in view.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [type]);
  const countsByKind = new Map((useOverview().data ?? []).map((counts) => [counts.type, counts]));
  return (
    <div ref={list} className="names-tabs" role="tablist" aria-label={t('kinds')}>
      {NAME_TYPES.map((kind) => {
        const counts = countsByKind.get(kind);
        return (
          <button
            key={kind}
            type="button"
            className="names-tab"
            role="tab"
            aria-selected={kind === type}
            tabIndex={kind === type ? 0 : -1}
            onKeyDown={moveBetweenTabs}
            onClick={() => onChoose(kind)}
          >
            {t(`type_${kind}`)}
            {counts !== undefined && <span className="cap num">{formats.count(counts.entries)}</span>}
            {counts !== undefined && counts.unreviewed > 0 && <Tag>{t('waiting', { count: counts.unreviewed })}</Tag>}
          </button>
        );
      })}
    </div>
  );
}
