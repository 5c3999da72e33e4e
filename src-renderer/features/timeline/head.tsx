import { useTranslation } from 'react-i18next';
import type { TimelineReply } from '../../../src-shared/contract/timeline.ts';
import { zoomSpan } from './axis.ts';
import { Toolbar } from './toolbar.tsx';
import type { Search } from './use-search.ts';
import type { ChangeSpan } from './use-span.ts';

/** The title of the page and the toolbar. */
export function TimelineHead({
  search,
  specialties,
  hasSpan,
  isBare = false,
  onSearch,
  onSpan,
  onCreate,
  note,
}: {
  search: Search;
  specialties: TimelineReply['specialties'];
  hasSpan: boolean;
  /** Whether the record has nothing yet that could be filtered, zoomed or printed. */
  isBare?: boolean;
  onSearch: (part: Partial<Search>) => void;
  onSpan: ChangeSpan;
  onCreate: (() => void) | null;
  /** Whose timeline it is, beside the title. */
  note?: string;
}) {
  const { t } = useTranslation('timeline');
  return (
    <div className="page-head">
      <h1>{t('title')}</h1>
      {note && <span className="cap">{note}</span>}
      {!isBare && (
        <Toolbar
          view={search.view === 'table' ? 'table' : 'axis'}
          specialties={specialties}
          specialty={search.specialty}
          disabled={!hasSpan}
          onView={(view) => onSearch({ view: view === 'table' ? view : undefined })}
          onSpecialty={(specialty) => onSearch({ specialty })}
          onNew={onCreate}
          onZoom={(factor) => onSpan((span) => zoomSpan(span, factor, 0.5))}
          onAll={() => onSpan(() => null)}
        />
      )}
    </div>
  );
}
