import {
  Check,
  Disc3,
  Download,
  Ellipsis,
  FileInput,
  FileSearch,
  FolderOpen,
  Languages,
  Pencil,
  RefreshCw,
  RotateCw,
  Share2,
  Trash2,
  UserRound,
  WandSparkles,
  Waypoints,
} from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { askShell, isInShell } from '../../../client/shell-bridge.ts';
import { ExportStudiesDialog } from '../../../client/export-studies.tsx';
import { usePatients } from '../../../client/session.tsx';
import { useShareDocuments } from '../../../client/share-documents.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuRule } from '../../../ui/menu.tsx';
import { useFormats } from '../../../client/format.ts';
import { useCandidates } from './queries.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { SuggestDialog } from './suggest-dialog.tsx';
import type { DocumentActions } from './use-actions.ts';
import { WordsDialog } from './words-dialog.tsx';

export type OpenDialog = 'rename' | 'find' | 'export' | 'words' | 'suggest';

/** The menu of all actions on the document. */
export function ActionsMenu({
  document,
  actions,
  mayEdit,
  page,
  dialog,
  onDialog,
}: {
  document: DocumentDetail;
  actions: DocumentActions;
  mayEdit: boolean;
  page: number;
  dialog: OpenDialog | null;
  onDialog: (dialog: OpenDialog | null) => void;
}) {
  const { t } = useTranslation('document');
  const picker = useRef<HTMLInputElement>(null);
  const share = useShareDocuments(document.patient_id, [document.id]);
  return (
    <>
      <Menu trigger={<IconButton glyph={Ellipsis} label={t('actions')} />}>
        {document.file_path !== '' && (
          <MenuItem glyph={Download} onSelect={() => location.assign(actions.download)}>
            {t('download')}
          </MenuItem>
        )}
        {document.file_path !== '' && isInShell() && (
          <MenuItem
            glyph={FolderOpen}
            onSelect={() => void askShell('revealDocument', { id: document.id }).catch(() => {})}
          >
            {t('reveal')}
          </MenuItem>
        )}
        {document.imaging_studies.length > 0 && (
          <MenuItem glyph={Disc3} onSelect={() => onDialog('export')}>
            {t('export_studies')}
          </MenuItem>
        )}
        {share && (
          <MenuItem glyph={Share2} keys="s" onSelect={share}>
            {t('action.share', { ns: 'app' })}
          </MenuItem>
        )}
        {mayEdit && (
          <EditItems
            document={document}
            actions={actions}
            page={page}
            onDialog={onDialog}
            onReplace={() => picker.current?.click()}
          />
        )}
      </Menu>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) actions.replace(file);
          event.target.value = '';
        }}
      />
      {dialog === 'rename' && (
        <RenameDialog
          id={document.id}
          name={document.original_filename}
          onRename={actions.rename}
          onClose={() => onDialog(null)}
        />
      )}
      {dialog === 'words' && <WordsDialog document={document} onApply={actions.apply} onClose={() => onDialog(null)} />}
      {dialog === 'suggest' && (
        <SuggestDialog document={document} onApply={actions.apply} onClose={() => onDialog(null)} />
      )}
      {dialog === 'export' && (
        <ExportStudiesDialog ids={document.imaging_studies.map(({ id }) => id)} onClose={() => onDialog(null)} />
      )}
      {dialog === 'find' && <FindDialog id={document.id} onUse={actions.relink} onClose={() => onDialog(null)} />}
    </>
  );
}

/** The menu items that change the document. */
function EditItems({
  document,
  actions,
  page,
  onDialog,
  onReplace,
}: {
  document: DocumentDetail;
  actions: DocumentActions;
  page: number;
  onDialog: (dialog: OpenDialog) => void;
  onReplace: () => void;
}) {
  const { t } = useTranslation('document');
  const patients = usePatients().filter((patient) => patient.id !== document.patient_id);
  // A document that waits for the report of an imaging study has none.
  const hasFile = document.file_path !== '';
  return (
    <>
      {hasFile && (
        <MenuItem glyph={RefreshCw} keys="r" onSelect={actions.reprocess}>
          {t('reprocess')}
        </MenuItem>
      )}
      {hasFile && (
        <MenuItem glyph={RotateCw} keys="]" onSelect={() => actions.rotate(page, 90)}>
          {t('rotate')}
        </MenuItem>
      )}
      {hasFile && (
        <MenuItem glyph={Languages} onSelect={actions.translate}>
          {t('translate')}
        </MenuItem>
      )}
      {document.status === 'needs_review' && (
        <MenuItem glyph={Check} onSelect={actions.markReviewed}>
          {t('mark_reviewed')}
        </MenuItem>
      )}
      <MenuItem glyph={WandSparkles} onSelect={() => onDialog('words')}>
        {t('words')}
      </MenuItem>
      {document.patient_id !== null && (
        <MenuItem glyph={Waypoints} onSelect={() => onDialog('suggest')}>
          {t('suggest')}
        </MenuItem>
      )}
      <MenuItem glyph={Pencil} onSelect={() => onDialog('rename')}>
        {t('rename')}
      </MenuItem>
      {hasFile && (
        <MenuItem glyph={FileInput} onSelect={onReplace}>
          {t('replace')}
        </MenuItem>
      )}
      {hasFile && (
        <MenuItem glyph={FileSearch} onSelect={() => onDialog('find')}>
          {t('find_file')}
        </MenuItem>
      )}
      {patients.length > 0 && <MenuRule />}
      {patients.length > 0 && <MenuLabel>{t('move')}</MenuLabel>}
      {patients.map((patient) => (
        <MenuItem key={patient.id} glyph={UserRound} onSelect={() => actions.move(patient.id, patient.display_name)}>
          {patient.display_name}
        </MenuItem>
      ))}
      <MenuRule />
      <MenuItem glyph={Trash2} isDangerous keys="Del" onSelect={() => actions.remove()}>
        {t('remove')}
      </MenuItem>
      {document.lab_results.length > 0 && document.patient_id !== null && (
        <MenuItem glyph={Trash2} isDangerous onSelect={() => actions.remove('keep_results')}>
          {t('remove_keep_results')}
        </MenuItem>
      )}
    </>
  );
}

function FindDialog({ id, onUse, onClose }: { id: number; onUse: (path: string) => void; onClose: () => void }) {
  const { t } = useTranslation(['document', 'app']);
  const formats = useFormats();
  const candidates = useCandidates(id, true).data;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('document:find_file')}
      wide
    >
      {candidates?.length === 0 && <p className="muted">{t('document:candidates_none')}</p>}
      <ul className="stack">
        {candidates?.map((candidate) => (
          <li key={candidate.vault_path} className="row">
            <span className="mono truncate">{candidate.vault_path}</span>
            <span className="cap num">{formats.bytes(candidate.size)}</span>
            <Button
              size="small"
              className="push"
              onClick={() => {
                onUse(candidate.vault_path);
                onClose();
              }}
            >
              {t('document:use_file')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('app:action.close')}</Button>
      </div>
    </Dialog>
  );
}
