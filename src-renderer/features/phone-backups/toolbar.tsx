import { Download, HardDriveUpload } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMayEdit } from '../../client/session.tsx';
import { useToasts } from '../../ui/toasts.tsx';
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
import { useTask } from './use-task.ts';
import type { PhoneLabels } from './labels.ts';

/** One way to take something out of the backup. */
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

/** The head of a view: its name and count, a filter, and the actions on the selection. */
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
  const { isBusy, share, doubt, run, stop } = useTask((error) => show({ text: labels.error(error), tone: 'bad' }));
  const [outgoing, setOutgoing] = useState<readonly Sendable[] | null>(null);
  const ways: ExportWay[] = [
    ...(pdf
      ? [{ name: t('as_pdf'), run: async (task: Task) => savePdf(await pdf(), source, labels, task, otherWays) }]
      : []),
    ...exports,
  ];
  const sendPdf = (): void => {
    if (pdf) void run(async () => setOutgoing([await pdf()]));
  };
  const sendBoth = (): void => {
    if (pdf && sends) void run(async () => setOutgoing([await pdf(), ...(await sends())]));
  };
  const sendFiles = (): void => {
    if (sends) void run(async () => setOutgoing(await sends()));
  };
  return (
    <header className="phone-toolbar">
      <h2>
        {title}
        {count !== undefined && <span className="cap num"> {formats.count(count)}</span>}
      </h2>
      {filter && <FilterInput {...filter} />}
      {children}
      {(ways.length > 0 || ((sends || pdf) && mayEdit)) && (
        <span className="push row">
          {isBusy && share !== null && (
            <>
              <span className="phone-making">
                <Meter share={share} label={t('exporting')} />
              </span>
              <Button size="small" variant="quiet" onClick={stop}>
                {t('stop')}
              </Button>
            </>
          )}
          {ways.length > 0 && (
            <Menu
              trigger={
                <Button size="small" glyph={Download} disabled={isBusy}>
                  {isBusy ? t('exporting') : t('export')}
                </Button>
              }
            >
              {ways.map(({ name, run: way }) => (
                <MenuItem key={name} onSelect={() => void run(way)}>
                  {name}
                </MenuItem>
              ))}
            </Menu>
          )}
          {mayEdit && sends && pdf && (
            <Menu
              trigger={
                <Button size="small" glyph={HardDriveUpload} disabled={isBusy}>
                  {t('send')}
                </Button>
              }
            >
              <MenuItem onSelect={sendPdf}>{t('paper.as_one')}</MenuItem>
              <MenuItem onSelect={sendBoth}>{t('paper.both')}</MenuItem>
              <MenuItem onSelect={sendFiles}>{t('paper.files')}</MenuItem>
            </Menu>
          )}
          {mayEdit && (sends === null) !== (pdf === null) && (
            <Button size="small" glyph={HardDriveUpload} disabled={isBusy} onClick={pdf ? sendPdf : sendFiles}>
              {t('send')}
            </Button>
          )}
        </span>
      )}
      {doubt && (
        <Dialog
          open
          onOpenChange={(isOpen) => {
            if (!isOpen) doubt.answer(null);
          }}
          title={doubt.title}
        >
          <p>{doubt.text}</p>
          <div className="dialog-actions">
            <Button onClick={() => doubt.answer(null)}>{t('cancel')}</Button>
            {doubt.answers.map(({ name, value }, index) => (
              <Button
                key={value}
                {...(index === 0 && { variant: 'primary' as const })}
                onClick={() => doubt.answer(value)}
              >
                {name}
              </Button>
            ))}
          </div>
        </Dialog>
      )}
      {outgoing && <SendDialog items={outgoing} source={source} labels={labels} onClose={() => setOutgoing(null)} />}
    </header>
  );
}
