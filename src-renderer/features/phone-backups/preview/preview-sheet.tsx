import { ChevronLeft, ChevronRight, Download, HardDriveUpload } from 'lucide-react';
import { useState } from 'react';
import { useMayEdit } from '../../../client/session.tsx';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SideSheet } from '../../../ui/dialog.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { saveBlob } from '../export/download.ts';
import { safeName } from '../export/file-name.ts';
import { outgoingOf } from '../send/outgoing.ts';
import { SendDialog } from '../send/send-dialog.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import { FilePreview } from './file-preview.tsx';
import type { Target } from './target.ts';

/**
 * Shows a file at the side: its content, its original path, and ways to export it. Arrow keys move to its neighbors.
 */
export default function PreviewSheet({
  target,
  neighbours,
  source,
  labels,
  onStep,
  onClose,
}: {
  target: Target;
  neighbours: readonly Target[];
  source: BackupSource;
  labels: PhoneLabels;
  onStep: (target: Target) => void;
  onClose: () => void;
}) {
  const { t } = labels;
  const { show } = useToasts();
  const mayEdit = useMayEdit();
  const [isSending, setSending] = useState(false);
  const at = neighbours.findIndex(({ fileId }) => fileId === target.fileId);
  const step = (by: number): void => {
    const next = at < 0 ? undefined : neighbours[at + by];
    if (next) onStep(next);
  };
  useShortcuts({ ArrowLeft: () => step(-1), ArrowRight: () => step(1) });
  const save = async (): Promise<void> => {
    try {
      const { saveOne } = await import('../export/one-file.ts');
      await saveOne(source, target.fileId, safeName(target.name), saveBlob);
    } catch (error) {
      show({ text: labels.error(error), tone: 'bad' });
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
          {neighbours.length > 1 && (
            <>
              <IconButton
                glyph={ChevronLeft}
                label={t('previous')}
                keys="←"
                disabled={at <= 0}
                onClick={() => step(-1)}
              />
              <IconButton
                glyph={ChevronRight}
                label={t('next')}
                keys="→"
                disabled={at < 0 || at >= neighbours.length - 1}
                onClick={() => step(1)}
              />
            </>
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
      </div>
      {isSending && (
        <SendDialog
          items={[
            outgoingOf(
              {
                fileId: target.fileId,
                path: target.path,
                domain: target.domain,
                at: target.at ?? null,
                offset: target.offset ?? null,
                what: target.what ?? '',
                filename: target.name,
              },
              source.device,
              labels,
            ),
          ]}
          source={source}
          labels={labels}
          onClose={() => setSending(false)}
        />
      )}
    </SideSheet>
  );
}
