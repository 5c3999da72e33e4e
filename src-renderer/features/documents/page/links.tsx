import { Link as RouterLink } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LINK_TYPES, type DocumentDetail, type LinkType } from '../../../../src-shared/contract/rows.ts';
import { useTitles } from '../../../client/document-title.ts';
import { useFormats } from '../../../client/format.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { OptionList } from '../../../ui/combobox.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useLinkActions, useLinkCandidates } from './use-links.ts';

/** Linked documents, in both directions. */
export function Links({ document, mayEdit }: { document: DocumentDetail; mayEdit: boolean }) {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const titles = useTitles();
  const actions = useLinkActions(document);
  if (document.links.length === 0 && !mayEdit) return null;
  return (
    <section className="rows" aria-labelledby="links-title">
      <h2 id="links-title">
        {t('links')}
        {mayEdit && <NewLink document={document} onLink={actions.add} />}
      </h2>
      {document.links.length === 0 && <p className="cap rows-empty">{t('links_none')}</p>}
      <ul>
        {document.links.map((link) => {
          const outward = link.source_document_id === document.id;
          const other = outward ? link.target_document_id : link.source_document_id;
          const name = titles.title(link);
          return (
            <li key={link.link_id} className="value-row">
              <span className="link-words">
                <span className="cap">{t(`${outward ? 'link_to' : 'link_from'}_${link.link_type}`)}</span>{' '}
                <RouterLink
                  to="/documents/$id"
                  params={{ id: String(other) }}
                  title={titles.fileName(link.original_filename)}
                >
                  {name}
                </RouterLink>
              </span>
              <span className="row row-end">
                <span className="num muted">{formats.date(link.event_date)}</span>
                {mayEdit && (
                  <IconButton
                    size="small"
                    glyph={X}
                    label={t('unlink', { name })}
                    onClick={() => actions.remove(link)}
                  />
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function NewLink({ document, onLink }: { document: DocumentDetail; onLink: (target: number, type: LinkType) => void }) {
  const { t } = useTranslation('document');
  const titles = useTitles();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const [type, setType] = useState<LinkType>('related');
  const [text, setText] = useState('');
  const candidates = useLinkCandidates(document, text, open);
  const options = candidates.map((candidate) => ({
    value: String(candidate.id),
    label: [titles.title(candidate), titles.caption(candidate)].join(' – '),
    note: formats.date(candidate.event_date),
  }));
  return (
    <Popover
      isWide
      align="end"
      label={t('link_add')}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setText('');
      }}
      trigger={<IconButton size="small" glyph={Plus} className="push" label={t('link_add')} />}
    >
      <div className="popover-body">
        <Field label={t('link_how')}>
          {(control) => (
            <Select
              {...control}
              value={type}
              options={LINK_TYPES.map((value) => ({ value, label: t(`link_to_${value}`) }))}
              onChange={(event) => setType(event.target.value as LinkType)}
            />
          )}
        </Field>
      </div>
      <OptionList
        label={t('link_find')}
        placeholder={t('link_find')}
        emptyText={t('link_nothing')}
        options={options}
        selected={[]}
        onType={setText}
        onChoose={(id) => {
          setOpen(false);
          onLink(Number(id), type);
        }}
      />
    </Popover>
  );
}
