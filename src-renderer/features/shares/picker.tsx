import { useState } from 'react';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { MAX_SHARED_DOCUMENTS } from '../../../src-shared/contract/shares.ts';
import { useTitles } from '../../client/document-title.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import { useShareableDocuments } from './queries.ts';

/** More rows than these are found by typing. */
const MAX_ROWS = 100;

/** The dialog that chooses documents of a patient, except those in `excluded`. */
export function DocumentPicker({
  patient,
  patientName,
  excluded,
  max,
  labels,
  onClose,
  onPick,
}: {
  patient: string;
  patientName: string;
  excluded: readonly number[];
  /** How many may still be added. */
  max: number;
  labels: ShareLabels;
  onClose: () => void;
  onPick: (ids: number[]) => void;
}) {
  const { t, formats } = labels;
  const vocabulary = useVocabulary();
  const titles = useTitles();
  const { data, error, refetch } = useShareableDocuments(patient);
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<readonly number[]>([]);
  const offered = (data ?? []).filter(({ id }) => !excluded.includes(id));
  const nameOf = (item: DocumentListItem): string => [titles.title(item), titles.caption(item)].join(' · ');
  const found = offered.filter((item) => fold(nameOf(item)).includes(fold(text.trim())));
  const toggle = (id: number): void =>
    setPicked((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  return (
    <Dialog open onOpenChange={onClose} title={t('pick_title', { name: patientName })} wide>
      {error && !data && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonLines count={5} label={t('loading')} />}
      {data && offered.length === 0 && <p className="muted">{t('pick_nothing')}</p>}
      {offered.length > 0 && (
        <>
          <Input
            type="search"
            autoFocus
            aria-label={t('pick_find')}
            placeholder={t('pick_find')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="sh-pick" role="group" aria-label={t('docs')}>
            {found.length === 0 && <p className="muted">{t('pick_none')}</p>}
            {found.slice(0, MAX_ROWS).map((item) => (
              <label key={item.id} className="sh-pick-row">
                <input
                  type="checkbox"
                  className="check"
                  checked={picked.includes(item.id)}
                  onChange={() => toggle(item.id)}
                />
                <span className="docline-words">
                  <span className="truncate strong">{titles.title(item)}</span>
                  <span className="cap truncate">{titles.caption(item)}</span>
                </span>
                <span className="cap num">{formats.date(item.event_date)}</span>
              </label>
            ))}
          </div>
        </>
      )}
      <div className="dialog-actions">
        {picked.length > max && <span className="form-error">{t('pick_many', { max: MAX_SHARED_DOCUMENTS })}</span>}
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          variant="primary"
          disabled={picked.length === 0 || picked.length > max}
          onClick={() => {
            onPick([...picked]);
            onClose();
          }}
        >
          {picked.length === 0 ? t('pick_add_none') : t('pick_add', { count: picked.length })}
        </Button>
      </div>
    </Dialog>
  );
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
