import { useTranslation } from 'react-i18next';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Select } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import { grantOf, useGrant, useMatrix, type Grant, type Matrix } from './queries.ts';

const GRANTS = ['none', 'viewer', 'owner'] as const satisfies readonly Grant[];

/** The access matrix: accounts as rows, patients as columns. */
export function MatrixPanel() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useMatrix();
  const ownerless =
    data?.patients.filter(
      (patient) => !data.grants.some((grant) => grant.patient_id === patient.id && grant.role === 'owner'),
    ) ?? [];
  return (
    <Panel title={t('matrix')} aside={t('matrix_text')}>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={3} label={t('loading')} />}
      {data?.patients.length === 0 && <EmptyState title={t('matrix_empty')} />}
      {ownerless.length > 0 && (
        <div className="panel-body">
          <Notice tone="warn">
            {t('ownerless', { names: ownerless.map((patient) => patient.display_name).join(', ') })}
          </Notice>
        </div>
      )}
      {data && data.patients.length > 0 && <MatrixTable matrix={data} />}
    </Panel>
  );
}

function MatrixTable({ matrix }: { matrix: Matrix }) {
  const { t } = useTranslation('settings');
  const grant = useGrant();
  return (
    <div className="table-panel" role="region" aria-label={t('matrix')} tabIndex={0}>
      <table className="table matrix">
        <thead>
          <tr>
            <th scope="col">{t('user')}</th>
            {matrix.patients.map((patient) => (
              <th key={patient.id} scope="col">
                {patient.display_name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.users.map((user) => (
            <tr key={user.id}>
              <th scope="row" className="truncate">
                {user.display_name}
              </th>
              {matrix.patients.map((patient) => {
                const role = grantOf(matrix, user.id, patient.id);
                return (
                  <td key={patient.id} data-grant={role}>
                    <Select
                      aria-label={t('matrix_cell', { user: user.display_name, patient: patient.display_name })}
                      value={role}
                      options={GRANTS.map((value) => ({ value, label: t(`grant_${value}`) }))}
                      onChange={(event) => grant.mutate({ user, patient, role: event.target.value as Grant })}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
