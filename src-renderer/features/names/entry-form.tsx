import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { ApiError } from '../../client/api.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Notice } from '../../ui/states.tsx';
import { changesOf, FIELDS, valuesOf, type FieldName, type Values } from './fields.ts';
import { findOther } from './queries.ts';
import type { NameActions, Named } from './use-actions.ts';

/** What stands in the way of a change: an entry with the same code (it cannot stay so) or with the same name (it may). */
type Obstacle = { by: 'code' | 'name'; other: Named } | { by: 'hidden' | 'refused'; text: string };

/** The fields of an entry. A code or name that another entry has is offered as a merge. */
export function EntryForm({
  type,
  entry,
  actions,
  onMerge,
}: {
  type: NameType;
  entry: NameRow;
  actions: NameActions;
  onMerge: (target: Named) => void;
}) {
  const { t } = useTranslation('names');
  const words = useVocabulary();
  const stored = valuesOf(type, entry);
  const [draft, setDraft] = useState<Partial<Values>>({});
  const [obstacle, setObstacle] = useState<Obstacle | null>(null);
  const changes = changesOf(stored, { ...stored, ...draft });
  const isChanged = Object.keys(changes).length > 0;
  const set = (field: FieldName, value: string): void => {
    setObstacle(null);
    setDraft((before) => ({ ...before, [field]: value }));
  };

  async function refused(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.code !== 'name.code_taken' || !changes.canonical_code)
      return setObstacle({ by: 'refused', text: words.error(error) });
    const other = await findOther(type, entry.id, { code: changes.canonical_code }).catch(() => null);
    setObstacle(other ? { by: 'code', other } : { by: 'hidden', text: t('exists_hidden') });
  }
  async function save(evenIfNamedSo = false): Promise<void> {
    const name = changes.canonical_display;
    const other = name && !evenIfNamedSo ? await findOther(type, entry.id, { display: name }).catch(() => null) : null;
    if (other) return setObstacle({ by: 'name', other });
    await actions.save(entry, changes).then(() => {
      setDraft({});
      setObstacle(null);
    }, refused);
  }
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
          {(control) => (
            <Input
              {...control}
              value={draft[field] ?? stored[field] ?? ''}
              required={field === 'canonical_display' || field === 'canonical_code'}
              maxLength={field === 'canonical_code' ? 120 : 200}
              onChange={(event) => set(field, event.target.value)}
            />
          )}
        </Field>
      ))}
      {obstacle &&
        ('other' in obstacle ? (
          <div className="names-obstacle" role="alert">
            <Notice tone="warn">
              {t(obstacle.by === 'code' ? 'exists' : 'named_so', { name: obstacle.other.canonical_display })}
            </Notice>
            <span className="row">
              <Button size="small" disabled={actions.busy} onClick={() => onMerge(obstacle.other)}>
                {t('merge_into', { name: obstacle.other.canonical_display })}
              </Button>
              {obstacle.by === 'name' && (
                <Button size="small" variant="quiet" disabled={actions.busy} onClick={() => void save(true)}>
                  {t('keep_both')}
                </Button>
              )}
            </span>
          </div>
        ) : (
          <Notice tone="bad">{obstacle.text}</Notice>
        ))}
      {isChanged && (
        <span className="row">
          <Button type="submit" size="small" variant="primary" disabled={actions.busy}>
            {t('save')}
          </Button>
          <Button
            size="small"
            variant="quiet"
            onClick={() => {
              setDraft({});
              setObstacle(null);
            }}
          >
            {t('cancel')}
          </Button>
        </span>
      )}
    </form>
  );
}
