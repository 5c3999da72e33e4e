import { ChevronLeft, ChevronRight, Download, HardDriveUpload } from 'lucide-react';
import { useState } from 'react';
import { useMayEdit } from '../../../client/session.tsx';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SideSheet } from '../../../ui/dialog.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { outgoingOf, type Origin } from '../send/outgoing.ts';
import { SendDialog } from '../send/send-dialog.tsx';
import type { BackupSource } from '../source/source.ts';
import { phoneErrorText, type PhoneLabels } from '../labels.ts';
import { FilePreview } from './file-preview.tsx';
import type { Target } from './target.ts';
import '../facts.css';
import './preview.css';

interface Props {
  target: Target;
  /** The files of its list, itself included; empty if it was opened alone. */
  neighbors: readonly Target[];
  source: BackupSource;
  labels: PhoneLabels;
  onStep: (target: Target) => void;
  onClose: () => void;
}

const originOf = ({ fileId, path, domain, at = null, offset = null, what = '', name }: Target): Origin => ({
  fileId,
  path,
  domain,
  at,
  offset,
  what,
  filename: name,
});

/**
 * Shows a file at the side: its content, its original path, and ways to export it. Arrow keys move to its neighbors.
 */
export default function PreviewSheet({ target, neighbors, source, labels, onStep, onClose }: Props) {
  const { t } = labels;
  const { show } = useToasts();
  const mayEdit = useMayEdit();
  const [isSending, setSending] = useState(false);
  const index = neighbors.findIndex(({ fileId }) => fileId === target.fileId);
  const stepBy = (count: number): void => {
    const next = index < 0 ? undefined : neighbors[index + count];
    if (next) onStep(next);
  };
  useShortcuts({ ArrowLeft: () => stepBy(-1), ArrowRight: () => stepBy(1) });
  const save = async (): Promise<void> => {
    try {
      const { saveOne } = await import('../export/one-file.ts');
      await saveOne(source, target.fileId, safeName(target.name), saveBlob);
    } catch (error) {
      show({ text: phoneErrorText(error), tone: 'bad' });
    }
  };
  return (
    <SideSheet
      open
      onOpenChange={(isOpen) => {
        if (!isOpen && !isSending) onClose();
      }}
      title={target.name}
      closeLabel={t('close')}
    >
      <div className="phone-sheet">
        <div className="row phone-sheet-bar">
          {neighbors.length > 1 && (
            <StepButtons index={index} count={neighbors.length} onStep={stepBy} labels={labels} />
          )}
          <span className="push row">
            <Button size="small" glyph={Download} onClick={() => void save()}>
              {t('save_copy')}
            </Button>
            {mayEdit && (
              <Button size="small" variant="primary" glyph={HardDriveUpload} onClick={() => setSending(true)}>
                {t('send')}
              </Button>
            )}
          </span>
        </div>
        <FilePreview target={target} source={source} labels={labels} />
        <FileFacts target={target} labels={labels} />
      </div>
      {isSending && (
        <SendDialog
          items={[outgoingOf(originOf(target), source.device, labels)]}
          source={source}
          labels={labels}
          onClose={() => setSending(false)}
        />
      )}
    </SideSheet>
  );
}

interface StepProps {
  /** -1 if the file is not in the list. */
  index: number;
  count: number;
  onStep: (count: number) => void;
  labels: PhoneLabels;
}

function StepButtons({ index, count, onStep, labels: { t } }: StepProps) {
  return (
    <>
      <IconButton glyph={ChevronLeft} label={t('previous')} keys="←" disabled={index <= 0} onClick={() => onStep(-1)} />
      <IconButton
        glyph={ChevronRight}
        label={t('next')}
        keys="→"
        disabled={index < 0 || index >= count - 1}
        onClick={() => onStep(1)}
      />
    </>
  );
}

function FileFacts({ target, labels }: { target: Target; labels: PhoneLabels }) {
  const { t } = labels;
  return (
    <dl className="phone-facts">
      {target.at && (
        <>
          <dt>{t('date')}</dt>
          <dd>{labels.exact(target.at)}</dd>
        </>
      )}
      {target.domain && (
        <>
          <dt>{t('domain')}</dt>
          <dd className="mono">{target.domain}</dd>
        </>
      )}
      {target.path && (
        <>
          <dt>{t('path')}</dt>
          <dd className="mono">{target.path}</dd>
        </>
      )}
    </dl>
  );
}
