import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { Suggestion } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Tag } from '../../../ui/chip.tsx';
import type { PhoneLabels } from '../labels.ts';
import { usePreview } from '../preview/preview-dialog.tsx';
import { useRowsOf } from '../queries.ts';
import { outgoingOf, type Outgoing } from '../send/outgoing.ts';
import { Toolbar } from '../toolbar.tsx';
import { useRowSelection } from '../use-row-selection.ts';
import { RowTable, type Column } from './row-table.tsx';
import type { ViewProps } from './view-props.ts';

const originText = (row: Suggestion, { t }: PhoneLabels): string =>
  [t(`origin.${row.origin}`), row.sender].filter(Boolean).join(' · ');

/** Files that look medical, most likely first; the user selects those to send. */
export default function MedicalView({ source, labels }: ViewProps) {
  const { t } = labels;
  const rows = useRowsOf(source, 'suggestions', {});
  const selection = useRowSelection<Suggestion>((row) => row.file_id);
  const openPreview = usePreview();
  const originOf = (row: Suggestion) => ({
    fileId: row.file_id,
    path: row.relative_path,
    domain: row.domain,
    at: row.at,
    what: originText(row, labels),
  });
  const selectedFiles = (): Outgoing[] =>
    selection.items.map((row) => outgoingOf({ ...originOf(row), filename: row.filename }, source.device, labels));
  return (
    <>
      <Toolbar
        title={t('view.medical')}
        count={rows.total}
        source={source}
        labels={labels}
        sends={selection.size > 0 ? selectedFiles : null}
      >
        <span className="cap">{selection.size > 0 ? t('chosen', { count: selection.size }) : t('medical_text')}</span>
      </Toolbar>
      <RowTable
        rows={rows}
        label={t('view.medical')}
        idOf={(row) => row.file_id}
        selection={selection}
        labels={labels}
        empty={{ title: t('nothing_medical'), text: t('nothing_medical_text') }}
        onOpen={(row) => openPreview({ ...originOf(row), name: row.filename })}
        columns={suggestionColumns(labels)}
      />
    </>
  );
}

function suggestionColumns(labels: PhoneLabels): Column<Suggestion>[] {
  const { t, formats } = labels;
  return [
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
      cell: (row) => <SuggestionTags suggestion={row} labels={labels} />,
    },
    { name: t('where'), width: 'minmax(0, 1fr)', cell: (row) => originText(row, labels) },
    { name: t('likely'), width: '76px', cell: (row) => formats.percent(row.likelihood), isNumber: true },
    {
      name: t('date'),
      width: '112px',
      cell: (row) => labels.day(row.at),
      title: (row) => labels.exact(row.at),
      isNumber: true,
    },
  ];
}

/** Why a file looks medical, and whether it is a document already. */
function SuggestionTags({ suggestion, labels: { t } }: { suggestion: Suggestion; labels: PhoneLabels }) {
  const { document_id: documentId, reasons } = suggestion;
  return (
    <span className="row">
      {documentId !== null && (
        <Link to="/documents/$id" params={{ id: String(documentId) }} search={{}} title={t('already_there')}>
          <Tag tone="ok">
            <Check size={12} aria-hidden="true" />
            {t('in_vault')}
          </Tag>
        </Link>
      )}
      {reasons.map((reason) => (
        <Tag key={reason}>{t(`reason.${reason}`)}</Tag>
      ))}
    </span>
  );
}
