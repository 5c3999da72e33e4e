import { useTranslation } from 'react-i18next';
import type { NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { Checkbox } from '../../ui/field.tsx';
import { useRows } from '../../ui/table/use-rows.ts';
import { TableRow } from './row.tsx';
import type { NameActions } from './use-actions.ts';
import type { NameSelection } from './use-name-keys.ts';

interface Props {
  type: NameType;
  items: readonly NameRow[];
  total: number;
  selection: NameSelection;
  mayEdit: boolean;
  actions: NameActions;
  onOpen: (id: number) => void;
  onEnd: () => void;
}

/** Entries with their aliases; only the rows in view are rendered. */
export function NameTable({ type, items, total, selection, mayEdit, actions, onOpen, onEnd }: Props) {
  const { t } = useTranslation('names');
  const { body, measure, rendered, above, below } = useRows({
    ids: items.map((item) => item.id),
    active: selection.active,
    onEnd,
  });
  return (
    <div className="panel names-panel">
      <table
        className="table names-table"
        // The own code of a doctor or facility repeats the name.
        data-without-code={type === 'doctors' || type === 'facilities' || undefined}
        aria-label={t('list', { kind: t(`type_${type}`) })}
        aria-rowcount={total + 1}
      >
        <Head selection={selection} total={items.length} mayEdit={mayEdit} />
        <tbody ref={body}>
          <Gap height={above} />
          {rendered.map(({ index }) => {
            const item = items[index];
            return (
              item && (
                <TableRow
                  key={item.id}
                  ref={measure}
                  item={item}
                  index={index}
                  selection={selection}
                  hasFocus={index === selection.active && selection.byKey}
                  mayEdit={mayEdit}
                  actions={actions}
                  onOpen={onOpen}
                />
              )
            );
          })}
          <Gap height={below} />
        </tbody>
      </table>
    </div>
  );
}

function Head({ selection, total, mayEdit }: { selection: NameSelection; total: number; mayEdit: boolean }) {
  const { t } = useTranslation('names');
  const count = selection.selected.length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {mayEdit && (
          <th className="select-cell">
            <Checkbox
              hideLabel
              label={t('select_all')}
              checked={count > 0 && count === total}
              indeterminate={count > 0 && count < total}
              onChange={(event) => selection.selectAll(event.target.checked)}
            />
          </th>
        )}
        <th scope="col">{t('column_name')}</th>
        <th scope="col" className="names-code">
          {t('column_code')}
        </th>
        <th scope="col" className="names-aliases">
          {t('column_aliases')}
        </th>
        <th scope="col" className="r names-uses">
          {t('column_uses')}
        </th>
      </tr>
    </thead>
  );
}

/** Fills the height of rows that are not rendered. */
const Gap = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null);
