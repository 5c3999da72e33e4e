import { Link } from '@tanstack/react-router';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, ExternalLink, FileInput, Share2, Unlink } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { ImagingStudy } from '../../../../src-shared/contract/imaging.ts';
import { addressOf, call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { ExportStudiesDialog } from '../../../client/export-studies.tsx';
import { useShareDocuments } from '../../../client/share-documents.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { sendFile } from '../../../client/upload.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useDoseFacts } from '../dose-panel.tsx';
import { useMayChange } from './use-may-change.ts';
import type { ViewerWords } from './use-words.ts';

/** The report of a study beside its pictures, or the way to attach one. */
export function ReportPane({ study, words }: { study: ImagingStudy; words: ViewerWords }) {
  const { t } = words;
  const mayChange = useMayChange(study);
  const { attach, detach, isBusy } = useReport(study);
  const doseFacts = useDoseFacts();
  const doses = study.dose ? doseFacts(study.dose) : [];
  const [isExporting, setExporting] = useState(false);
  const share = useShareDocuments(study.patient_id, study.document_id === null ? [] : [study.document_id]);
  const isAttached = study.report_status === 'attached';
  return (
    <aside className="im-side-pane" aria-label={t('report')}>
      <div className="im-side-head">
        <h2>{t('report')}</h2>
        <Tag tone={isAttached ? 'ok' : 'warn'}>{t(`report_${study.report_status}`)}</Tag>
        {isAttached && study.document_id !== null && (
          <Link
            to="/documents/$id"
            params={{ id: String(study.document_id) }}
            className={`${buttonClass({ variant: 'quiet', size: 'small' })} push`}
          >
            <Icon glyph={ExternalLink} />
            {t('report_open')}
          </Link>
        )}
      </div>
      <dl className="im-facts">
        {(['doctor_name', 'facility_name', 'accession_number'] as const).map(
          (name) =>
            study[name] && (
              <div key={name}>
                <dt>{t(name)}</dt>
                <dd>{study[name]}</dd>
              </div>
            ),
        )}
        {doses.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      {isAttached && study.document_id !== null ? (
        <img
          className="im-report-page"
          src={addressOf(contract.documents.thumbnail, { params: { id: study.document_id } })}
          alt={t('report_page')}
        />
      ) : (
        <p className="im-side-text">{t('report_none')}</p>
      )}
      <div className="row">
        {mayChange && isAttached && (
          <Button size="small" glyph={Unlink} disabled={isBusy} onClick={detach}>
            {t('report_detach')}
          </Button>
        )}
        {mayChange && !isAttached && <AttachButton disabled={isBusy} onAttach={attach} words={words} />}
        {share && (
          <Button size="small" glyph={Share2} onClick={share}>
            {t('action.share', { ns: 'app' })}
          </Button>
        )}
        <Button size="small" glyph={Download} onClick={() => setExporting(true)}>
          {t('export_studies', { ns: 'document' })}
        </Button>
      </div>
      {isExporting && <ExportStudiesDialog ids={[study.id]} onClose={() => setExporting(false)} />}
    </aside>
  );
}

function AttachButton({
  disabled,
  onAttach,
  words: { t },
}: {
  disabled: boolean;
  onAttach: (report: File) => void;
  words: ViewerWords;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" glyph={FileInput} disabled={disabled} onClick={() => picker.current?.click()}>
        {t('report_attach')}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept="application/pdf"
        onChange={({ target }) => {
          const [report] = target.files ?? [];
          if (report) onAttach(report);
          target.value = '';
        }}
      />
    </>
  );
}

/** Attaches and detaches the report, each with Undo. */
function useReport(study: ImagingStudy) {
  const client = useQueryClient();
  const { begin } = useToasts();
  const of = { params: { id: String(study.id) } };
  const refresh = async (): Promise<void> => {
    for (const queryKey of [cacheKeys.documents, cacheKeys.today, cacheKeys.pipeline])
      await client.invalidateQueries({ queryKey });
  };
  const detachReport = () => call(contract.imaging.detachReport, of);
  const attaching = useMutation({
    mutationFn: (report: File): Promise<Reply<typeof contract.imaging.attachReport>> =>
      sendFile(
        addressOf(contract.imaging.attachReport, of),
        contract.imaging.attachReport.file,
        report,
        () => undefined,
      ),
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: async (_, __, change) => {
      await refresh();
      change.done({
        text: ({ t }) => t('report_was_attached', { ns: 'imaging' }),
        undo: () => detachReport().then(refresh),
      });
    },
  });
  const detaching = useMutation({
    mutationFn: detachReport,
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: async ({ previous_document_id }, _, change) => {
      await refresh();
      change.done({
        text: ({ t }) => t('report_was_detached', { ns: 'imaging' }),
        ...(previous_document_id !== null && {
          undo: () =>
            call(contract.imaging.attachReport, { ...of, query: {}, body: { document_id: previous_document_id } }).then(
              refresh,
            ),
        }),
      });
    },
  });
  return {
    attach: (report: File) => attaching.mutate(report),
    detach: () => detaching.mutate(),
    isBusy: attaching.isPending || detaching.isPending,
  };
}
