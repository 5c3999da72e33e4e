import { useTranslation } from 'react-i18next';
import type { NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { Checkbox } from '../../ui/field.tsx';
import { useRows } from '../../ui/table/use-rows.ts';
import { TableRow } from './row.tsx';
import type { NameActions } from './use-actions.ts';
import type { Choice } from './use-table-selection.ts';

interface Props {
  type: NameType;
  items: readonly NameRow[];
  total: number;
  choice: Choice;
  mayEdit: boolean;
  actions: NameActions;
  onOpen: (id: number) => void;
  onEnd: () => void;
}

/** Entries with their spellings; only the rows in view are drawn. */
export function NameTable({ type, items, total, choice, mayEdit, actions, onOpen, onEnd }: Props) {
  const { t } = useTranslation('names');
  const { body, measure, drawn, above, below } = useRows({
    ids: items.map((item) => item.id),
    active: choice.active,
    onEnd,
  });
  const { selected } = choice;
  return (
    <div className="panel names-panel">
      <table
        className="table names-table"
        aria-label={t('list', { kind: t(`type_${type}`) })}
        aria-rowcount={total + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {mayEdit && (
              <th className="select-cell">
                <Checkbox
                  hideLabel
                  label={t('select_all')}
                  checked={selected.length > 0 && selected.length === items.length}
                  indeterminate={selected.length > 0 && selected.length < items.length}
                  onChange={(event) => choice.selectAll(event.target.checked)}
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
        <tbody ref={body}>
          <Gap height={above} />
          {drawn.map(({ index }) => {
            const item = items[index];
            return (
              item && (
                <TableRow
                  key={item.id}
                  ref={measure}
                  item={item}
                  index={index}
                  choice={choice}
                  focused={index === choice.active && choice.byKey}
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

/** Stands for the rows that are not drawn. */
const Gap = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null);
