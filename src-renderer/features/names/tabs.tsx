import { useTranslation } from 'react-i18next';
import { NAME_TYPES, type NameType } from '../../../src-shared/contract/names.ts';
import { useFormats } from '../../client/format.ts';
import { Tag } from '../../ui/chip.tsx';
import { useOverview } from './queries.ts';

/** The six kinds with their number of entries and of unreviewed aliases. */
export function TypeTabs({ type, onChoose }: { type: NameType; onChoose: (type: NameType) => void }) {
  const { t } = useTranslation('names');
  const formats = useFormats();
  const countsByKind = new Map((useOverview().data ?? []).map((counts) => [counts.type, counts]));
  return (
    <nav className="names-tabs" aria-label={t('kinds')}>
      {NAME_TYPES.map((kind) => {
        const counts = countsByKind.get(kind);
        return (
          <button
            key={kind}
            type="button"
            className="names-tab"
            aria-current={kind === type ? 'page' : undefined}
            onClick={() => onChoose(kind)}
          >
            {t(`type_${kind}`)}
            {counts !== undefined && <span className="cap num">{formats.count(counts.entries)}</span>}
            {counts !== undefined && counts.unreviewed > 0 && (
              <Tag tone="warn">{t('waiting', { count: counts.unreviewed })}</Tag>
            )}
          </button>
        );
      })}
    </nav>
  );
}
