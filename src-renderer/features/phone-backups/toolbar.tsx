import { Download, HardDriveUpload } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMayEdit } from '../../client/session.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Meter } from '../../ui/dots.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { SendDialog } from './send/send-dialog.tsx';
import { FilterInput, type Filter } from './filter-input.tsx';
import { savePdf, type OtherWays } from './export/save-pdf.ts';
import type { PdfExport } from './pdf/pdf-head.ts';
import type { Outgoing, Sendable } from './send/outgoing.ts';
import type { BackupSource } from './source/source.ts';
import type { Task } from './task.ts';
import { useTask, type PendingQuestion } from './use-task.ts';
import { phoneErrorText, type PhoneLabels } from './labels.ts';
import './toolbar.css';

/** One way to export the content of a view. */
export interface ExportWay {
  name: string;
  run: (task: Task) => Promise<void>;
}

interface Props {
  title: string;
  count: number | undefined;
  source: BackupSource;
  labels: PhoneLabels;
  filter?: Filter;
  exports?: readonly ExportWay[];
  /** Collects the files to send as documents; absent when the view has none. */
  sends?: (() => Promise<Outgoing[]> | Outgoing[]) | null;
  /** The view as a PDF, to save or to send to the vault; null if it has none. */
  pdf?: (() => Promise<PdfExport> | PdfExport) | null;
  /** Offered where a PDF would lack some text. */
  otherWays?: OtherWays | null;
  children?: ReactNode;
}

/** The header of a view: its name and count, a filter, and the actions on the selection. */
export function Toolbar({
  title,
  count,
  source,
  labels,
  filter,
  exports = [],
  sends = null,
  pdf = null,
  otherWays = null,
  children,
}: Props) {
  const { t, formats } = labels;
  const { show } = useToasts();
  const mayEdit = useMayEdit();
  const { isBusy, share, question, run, stop } = useTask((error) => show({ text: phoneErrorText(error), tone: 'bad' }));
  const [outgoing, setOutgoing] = useState<readonly Sendable[] | null>(null);
  const ways: ExportWay[] = [
    ...(pdf
      ? [{ name: t('as_pdf'), run: async (task: Task) => savePdf(await pdf(), source, labels, task, otherWays) }]
      : []),
    ...exports,
  ];
  const canSend = (sends !== null || pdf !== null) && mayEdit;
  return (
    <header className="phone-toolbar">
      <h2>
        {title}
        {count !== undefined && <span className="cap num"> {formats.count(count)}</span>}
      </h2>
      {filter && <FilterInput {...filter} />}
      {children}
      {(ways.length > 0 || canSend) && (
        <span className="push row">
          {isBusy && share !== null && <ExportProgress share={share} onStop={stop} labels={labels} />}
          {ways.length > 0 && (
            <ExportMenu ways={ways} isBusy={isBusy} onSelect={(way) => void run(way.run)} labels={labels} />
          )}
          {canSend && (
            <SendMenu
              sends={sends}
              pdf={pdf}
              isBusy={isBusy}
              onSelect={(collect) => void run(async () => setOutgoing(await collect()))}
              labels={labels}
            />
          )}
        </span>
      )}
      {question && <QuestionDialog question={question} labels={labels} />}
      {outgoing && <SendDialog items={outgoing} source={source} labels={labels} onClose={() => setOutgoing(null)} />}
    </header>
  );
}

interface ProgressProps {
  share: number;
  onStop: () => void;
  labels: PhoneLabels;
}

function ExportProgress({ share, onStop, labels: { t } }: ProgressProps) {
  return (
    <>
      <span className="phone-making">
        <Meter share={share} label={t('exporting')} />
      </span>
      <Button size="small" variant="quiet" onClick={onStop}>
        {t('stop')}
      </Button>
    </>
  );
}

interface ExportMenuProps {
  ways: readonly ExportWay[];
  isBusy: boolean;
  onSelect: (way: ExportWay) => void;
  labels: PhoneLabels;
}

function ExportMenu({ ways, isBusy, onSelect, labels: { t } }: ExportMenuProps) {
  return (
    <Menu
      trigger={
        <Button size="small" glyph={Download} disabled={isBusy}>
          {isBusy ? t('exporting') : t('export')}
        </Button>
      }
    >
      {ways.map((way) => (
        <MenuItem key={way.name} onSelect={() => onSelect(way)}>
          {way.name}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface SendMenuProps {
  sends: (() => Promise<Outgoing[]> | Outgoing[]) | null;
  pdf: (() => Promise<PdfExport> | PdfExport) | null;
  isBusy: boolean;
  /** Receives a function that collects what to send. */
  onSelect: (collect: () => Promise<readonly Sendable[]>) => void;
  labels: PhoneLabels;
}

/** Sends the view as one PDF, its files, or both; a button if only one of them is possible. */
function SendMenu({ sends, pdf, isBusy, onSelect, labels: { t } }: SendMenuProps) {
  const collectPdf = async (): Promise<Sendable[]> => (pdf ? [await pdf()] : []);
  const collectFiles = async (): Promise<Sendable[]> => (sends ? await sends() : []);
  if (!sends || !pdf)
    return (
      <Button
        size="small"
        glyph={HardDriveUpload}
        disabled={isBusy}
        onClick={() => onSelect(pdf ? collectPdf : collectFiles)}
      >
        {t('send')}
      </Button>
    );
  return (
    <Menu
      trigger={
        <Button size="small" glyph={HardDriveUpload} disabled={isBusy}>
          {t('send')}
        </Button>
      }
    >
      <MenuItem onSelect={() => onSelect(collectPdf)}>{t('pdf_export.as_one')}</MenuItem>
      <MenuItem onSelect={() => onSelect(async () => [...(await collectPdf()), ...(await collectFiles())])}>
        {t('pdf_export.both')}
      </MenuItem>
      <MenuItem onSelect={() => onSelect(collectFiles)}>{t('pdf_export.files')}</MenuItem>
    </Menu>
  );
}

/** A question of a running task; closing it gives no answer. */
function QuestionDialog({ question, labels: { t } }: { question: PendingQuestion; labels: PhoneLabels }) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) question.answer(null);
      }}
      title={question.title}
    >
      <p>{question.text}</p>
      <div className="dialog-actions">
        <Button onClick={() => question.answer(null)}>{t('cancel')}</Button>
        {question.answers.map(({ name, value }, index) => (
          <Button
            key={value}
            {...(index === 0 && { variant: 'primary' as const })}
            onClick={() => question.answer(value)}
          >
            {name}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
