import type { AccountRow } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { saveCsv } from '../export/save-csv.ts';
import type { PhoneLabels } from '../labels.ts';
import { allRows, useRowsOf } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

/** Accounts that were set up on the phone; passwords are never read. */
export default function AccountsView({ source, labels }: ViewProps) {
  const { t } = labels;
  const rows = useRowsOf(source, 'accounts', {});
  const saveAll = async (): Promise<void> => saveAccountsCsv(await allRows(source, 'accounts', {}));
  return (
    <>
      <Toolbar
        title={t('view.accounts')}
        count={rows.total}
        source={source}
        labels={labels}
        exports={rows.total ? [{ name: t('as_csv'), run: saveAll }] : []}
      >
        <span className="cap">{t('accounts_text')}</span>
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('view.accounts')}
        idOf={(row) => row.account_identifier}
        labels={labels}
        empty={{ title: t('none_of', { what: t('view.accounts') }), text: t('none_text') }}
        columns={accountColumns(labels)}
      />
    </>
  );
}

function saveAccountsCsv(accounts: readonly AccountRow[]): void {
  saveCsv(
    'accounts.csv',
    ['type', 'username', 'description', 'owner', 'created_at'],
    accounts.map((row) => [row.type, row.username, row.description, row.owner, row.created_at]),
  );
}

function accountColumns(labels: PhoneLabels): Column<AccountRow>[] {
  const { t } = labels;
  return [
    {
      name: t('account'),
      width: 'minmax(0, 1.4fr)',
      cell: (row) => row.username ?? row.description ?? row.account_identifier,
      title: (row) => row.account_identifier,
    },
    { name: t('account_type'), width: 'minmax(0, 1fr)', cell: (row) => row.type },
    { name: t('account_name'), width: 'minmax(0, 1fr)', cell: (row) => row.description },
    { name: t('owner'), width: 'minmax(0, 1.2fr)', cell: (row) => <span className="mono">{row.owner}</span> },
    {
      name: t('since'),
      width: '112px',
      cell: (row) => labels.day(row.created_at),
      title: (row) => labels.exact(row.created_at),
      isNumber: true,
    },
  ];
}
