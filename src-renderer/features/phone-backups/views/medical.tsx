import { Check } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { Tag } from '../../../ui/chip.tsx';
import type { Suggestion } from '../../../../src-shared/contract/phone-backups/service.ts';
import type { ViewProps } from './view-props.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { useRowsOf } from '../queries.ts';
import { outgoingOf } from '../send/outgoing.ts';
import { Toolbar } from '../toolbar.tsx';
import { useRowSelection } from '../use-row-selection.ts';
import { RowTable } from './row-table.tsx';

/** Files that look medical, most likely first; the user selects those to send. */
export default function MedicalView({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const rows = useRowsOf(source, 'suggestions', {});
  const selection = useRowSelection<Suggestion>((row) => row.file_id);
  const open = usePreview();
  const whatOf = (row: Suggestion): string => [t(`origin.${row.origin}`), row.sender].filter(Boolean).join(' · ');
  return (
    <>
      <Toolbar
        title={t('view.medical')}
        count={rows.total}
        source={source}
        labels={labels}
        sends={
          selection.size > 0
            ? () =>
                selection.items.map((row) =>
                  outgoingOf(
                    {
                      fileId: row.file_id,
                      path: row.relative_path,
                      domain: row.domain,
                      at: row.at,
                      what: whatOf(row),
                      filename: row.filename,
                    },
                    source.device,
                    labels,
                  ),
                )
            : null
        }
      >
        <span className="cap">{selection.size > 0 ? t('chosen', { count: selection.size }) : t('medical_text')}</span>
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('view.medical')}
        idOf={(row) => row.file_id}
        selection={selection}
        labels={labels}
        nothing={{ title: t('nothing_medical'), text: t('nothing_medical_text') }}
        onOpen={(row) =>
          open({
            fileId: row.file_id,
            name: row.filename,
            path: row.relative_path,
            domain: row.domain,
            at: row.at,
            what: whatOf(row),
          })
        }
        columns={[
          {
            name: t('file'),
            width: 'minmax(0, 1.6fr)',
            cell: (row) => (
              <>
                {row.filename}
                {row.title !== null && row.title !== row.filename && <span className="cap"> {row.title}</span>}
              </>
            ),
            title: (row) => row.relative_path,
          },
          {
            name: t('why'),
            width: 'minmax(0, 1.4fr)',
            cell: (row) => (
              <span className="row">
                {row.document_id !== null && (
                  <Link
                    to="/documents/$id"
                    params={{ id: String(row.document_id) }}
                    search={{}}
                    title={t('already_there')}
                  >
                    <Tag tone="ok">
                      <Check size={12} aria-hidden="true" />
                      {t('in_vault')}
                    </Tag>
                  </Link>
                )}
                {row.reasons.map((reason) => (
                  <Tag key={reason}>{t(`reason.${reason}`)}</Tag>
                ))}
              </span>
            ),
          },
          { name: t('where'), width: 'minmax(0, 1fr)', cell: whatOf },
          { name: t('likely'), width: '76px', cell: (row) => formats.percent(row.likelihood), isNumber: true },
          {
            name: t('date'),
            width: '112px',
            cell: (row) => labels.day(row.at),
            title: (row) => labels.exact(row.at),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}
