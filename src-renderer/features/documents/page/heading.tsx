import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useTitles } from '../../../client/document-title.ts';
import { Icon } from '../../../ui/icon.tsx';
import { TextField } from './field-editors.tsx';
import { isComposed, useSummaryOf } from './summary.ts';
import { useEdits } from './use-edits.ts';
import { useFocusAfterEdit } from './use-focus-after-edit.ts';
import './heading.css';

/**
 * The title, what is notable, and the name of the file. A click on the title edits it; an empty title is composed
 * again from type and facility.
 */
export function Heading({
  document,
  mayEdit,
  isEditing,
  onEdit,
}: {
  document: DocumentDetail;
  mayEdit: boolean;
  isEditing: boolean;
  onEdit: (on: boolean) => void;
}) {
  const { t } = useTranslation('document');
  const titles = useTitles();
  const { change, rejection } = useEdits(document);
  const button = useFocusAfterEdit(isEditing);
  const title = titles.title(document);
  // A summary of the rows says what is notable and more.
  const summaryOf = useSummaryOf();
  const notable = isComposed(document) && summaryOf(document) !== '' ? '' : titles.notable(document);
  return (
    <div className="sheet-title">
      {isEditing ? (
        <TextField
          label={t('field_title')}
          value={title}
          onSave={(text) => {
            if (text !== title) change('title', { text });
          }}
          onClose={() => onEdit(false)}
        />
      ) : (
        <h1>
          {mayEdit ? (
            <button
              ref={button}
              type="button"
              className="value-button title-button"
              title={t('edit_field', { field: t('field_title') })}
              onClick={() => onEdit(true)}
            >
              {title}
              <Icon glyph={Pencil} size={14} />
            </button>
          ) : (
            title
          )}
        </h1>
      )}
      {rejection?.field === 'title' && (
        <span className="form-error" role="alert">
          {rejection.message}
        </span>
      )}
      {notable !== '' && <p className="sheet-notable">{notable}</p>}
      <p className="cap truncate" title={titles.fileName(document.original_filename)}>
        {titles.fileName(document.original_filename)}
      </p>
    </div>
  );
}
