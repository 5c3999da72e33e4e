import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { ApiError } from '../../client/api.ts';
import { useEntryName } from '../../client/entry-name.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Notice } from '../../ui/states.tsx';
import { CategoryField } from './category-field.tsx';
import { changesOf, FIELDS, valuesOf, type FieldName, type Values } from './fields.ts';
import { findOther } from './queries.ts';
import type { NameActions, Named } from './use-actions.ts';

/** Why a change cannot be saved: codes must be unique, names need not. */
type Obstacle = { by: 'code' | 'name'; other: Named } | { by: 'hidden' } | { by: 'refused'; error: unknown };

interface Props {
  type: NameType;
  entry: NameRow;
  actions: NameActions;
  onMerge: (target: Named) => void;
}

/** The draft of an entry and its save action. */
function useEntryDraft({ type, entry, actions }: Pick<Props, 'type' | 'entry' | 'actions'>) {
  const storedValues = valuesOf(type, entry, useEntryName()(entry));
  const [draft, setDraft] = useState<Partial<Values>>({});
  const [obstacle, setObstacle] = useState<Obstacle | null>(null);
  const changes = changesOf(storedValues, { ...storedValues, ...draft });
  const reset = (): void => {
    setDraft({});
    setObstacle(null);
  };
  const set = (field: FieldName, value: string): void => {
    setObstacle(null);
    setDraft((before) => ({ ...before, [field]: value }));
  };

  async function explainRefusal(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.code !== 'name.code_taken' || !changes.canonical_code)
      return setObstacle({ by: 'refused', error });
    const other = await findOther(type, entry.id, { code: changes.canonical_code }).catch(() => null);
    setObstacle(other ? { by: 'code', other } : { by: 'hidden' });
  }
  async function save({ allowSameName = false } = {}): Promise<void> {
    const name = changes.canonical_display;
    const other = name && !allowSameName ? await findOther(type, entry.id, { display: name }).catch(() => null) : null;
    if (other) return setObstacle({ by: 'name', other });
    await actions.save(entry, changes).then(reset, explainRefusal);
  }
  const isChanged = Object.keys(changes).length > 0;
  return { values: { ...storedValues, ...draft }, isChanged, obstacle, set, reset, save };
}

/** The form of an entry. If another entry has the new code or name, it offers to merge. */
export function EntryForm({ type, entry, actions, onMerge }: Props) {
  const { t } = useTranslation('names');
  const { values, isChanged, obstacle, set, reset, save } = useEntryDraft({ type, entry, actions });
  return (
    <form
      className="names-part names-form"
      aria-label={t('details')}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void save();
      }}
    >
      {FIELDS[type].map((field) => (
        <Field key={field} label={t(`field_${field}`)}>
          {(control) =>
            field === 'category' ? (
              <CategoryField control={control} value={values[field] ?? ''} onChange={(value) => set(field, value)} />
            ) : (
              <Input
                {...control}
                value={values[field] ?? ''}
                required={field === 'canonical_display' || field === 'canonical_code'}
                maxLength={field === 'canonical_code' ? 120 : 200}
                onChange={(event) => set(field, event.target.value)}
              />
            )
          }
        </Field>
      ))}
      {obstacle && (
        <ObstacleNotice
          obstacle={obstacle}
          isBusy={actions.busy}
          onMerge={onMerge}
          onKeepBoth={() => void save({ allowSameName: true })}
        />
      )}
      {isChanged && (
        <span className="row">
          <Button type="submit" size="small" variant="primary" disabled={actions.busy}>
            {t('save')}
          </Button>
          <Button size="small" variant="quiet" onClick={reset}>
            {t('cancel')}
          </Button>
        </span>
      )}
    </form>
  );
}

function ObstacleNotice({
  obstacle,
  isBusy,
  onMerge,
  onKeepBoth,
}: {
  obstacle: Obstacle;
  isBusy: boolean;
  onMerge: (target: Named) => void;
  onKeepBoth: () => void;
}) {
  const { t } = useTranslation('names');
  const vocabulary = useVocabulary();
  const nameOf = useEntryName();
  if (obstacle.by === 'hidden') return <Notice tone="bad">{t('exists_hidden')}</Notice>;
  if (obstacle.by === 'refused') return <Notice tone="bad">{vocabulary.error(obstacle.error)}</Notice>;
  const name = nameOf(obstacle.other);
  return (
    <div className="names-obstacle" role="alert">
      <Notice tone="warn">{t(obstacle.by === 'code' ? 'exists' : 'named_so', { name })}</Notice>
      <span className="row">
        <Button size="small" disabled={isBusy} onClick={() => onMerge(obstacle.other)}>
          {t('merge_into', { name })}
        </Button>
        {obstacle.by === 'name' && (
          <Button size="small" variant="quiet" disabled={isBusy} onClick={onKeepBoth}>
            {t('keep_both')}
          </Button>
        )}
      </span>
    </div>
  );
}
