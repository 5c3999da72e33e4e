import { useTranslation } from 'react-i18next';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { useEntryName } from '../../client/entry-name.ts';
import { classNames } from '../../ui/class-names.ts';

/** The aliases of an entry; unreviewed ones are dotted. */
export function AliasTags({ item, className }: { item: NameRow; className?: string }) {
  const { t } = useTranslation('names');
  const name = useEntryName()(item);
  const shownAliases = item.aliases.filter(({ alias, auto_mapped }) => auto_mapped || alias !== name);
  const more = item.alias_count - item.aliases.length;
  if (shownAliases.length === 0 && more <= 0) return null;
  return (
    <span className={classNames('alias-tags', className)}>
      {shownAliases.map(({ alias_id, alias, auto_mapped }) => (
        <span
          key={alias_id}
          className={classNames('tag', auto_mapped && 'alias-unreviewed')}
          title={auto_mapped ? t('unreviewed_alias', { alias }) : alias}
        >
          <span className="truncate">{alias}</span>
          {auto_mapped && <span className="sr-only">{t('unreviewed_alias', { alias: '' })}</span>}
        </span>
      ))}
      {more > 0 && <span className="cap num">{t('more_aliases', { count: more })}</span>}
    </span>
  );
}
