import { useTranslation } from 'react-i18next';
import { NAME_TYPES, type NameType } from '../../../src-shared/contract/names.ts';
import { useFormats } from '../../client/format.ts';
import { Tag } from '../../ui/chip.tsx';
import { useOverview } from './queries.ts';

/** The six kinds with their number of entries and of unreviewed aliases. */
export function TypeTabs({ type, onChoose }: { type: NameType; onChoose: (type: NameType) => void }) {
  const { t } = useTranslation('names');
  const formats = useFormats();
  const counts = new Map((useOverview().data ?? []).map((one) => [one.type, one]));
  return (
    <nav className="names-tabs" aria-label={t('kinds')}>
      {NAME_TYPES.map((one) => {
        const count = counts.get(one);
        return (
          <button
            key={one}
            type="button"
            className="names-tab"
            aria-current={one === type ? 'page' : undefined}
            onClick={() => onChoose(one)}
          >
            {t(`type_${one}`)}
            {count !== undefined && <span className="cap num">{formats.count(count.entries)}</span>}
            {count !== undefined && count.unreviewed > 0 && (
              <Tag tone="warn">{t('waiting', { count: count.unreviewed })}</Tag>
            )}
          </button>
        );
      })}
    </nav>
  );
}
