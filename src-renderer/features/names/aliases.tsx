import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { ApiError } from '../../client/api.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/states.tsx';
import type { NameActions } from './use-actions.ts';

/** The aliases of an entry. An alias of another entry can be moved here. */
export function Aliases({ entry, mayEdit, actions }: { entry: NameRow; mayEdit: boolean; actions: NameActions }) {
  const { t } = useTranslation('names');
  return (
    <section className="names-part" aria-label={t('spellings')}>
      <h3>
        {t('spellings')} <span className="cap num">{entry.alias_count}</span>
      </h3>
      <ul className="alias-list">
        {entry.aliases.map((alias) => (
          <li
            key={alias.alias_id}
            className={classNames('tag alias', alias.auto_mapped && 'alias-unreviewed')}
            title={alias.auto_mapped ? t('unreviewed_alias', { alias: alias.alias }) : undefined}
          >
            <span className="truncate">{alias.alias}</span>
            {alias.language && <span className="cap">{alias.language}</span>}
            {alias.auto_mapped && <span className="sr-only">{t('unreviewed_alias', { alias: '' })}</span>}
            {mayEdit && (
              <button
                type="button"
                className="alias-remove"
                aria-label={t('remove_spelling', { alias: alias.alias })}
                disabled={actions.busy}
                onClick={() => void actions.removeAlias(entry, alias)}
              >
                <Icon glyph={X} size={12} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && <AddAlias entry={entry} actions={actions} />}
    </section>
  );
}

function AddAlias({ entry, actions }: { entry: NameRow; actions: NameActions }) {
  const { t } = useTranslation('names');
  const vocabulary = useVocabulary();
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<unknown>(null);
  const isTaken = refusal instanceof ApiError && refusal.code === 'name.alias_taken';
  const add = (move = false): void => {
    if (text.trim() === '') return;
    actions.addAlias(entry, text.trim(), move).then(() => {
      setText('');
      setRefusal(null);
    }, setRefusal);
  };
  return (
    <form
      className="alias-add"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Input
        aria-label={t('add_spelling')}
        placeholder={t('add_spelling')}
        value={text}
        maxLength={200}
        onChange={(event) => {
          setRefusal(null);
          setText(event.target.value);
        }}
      />
      <Button type="submit" size="small" disabled={actions.busy || text.trim() === ''}>
        {t('add')}
      </Button>
      {refusal !== null && (
        <div className="names-obstacle" role="alert">
          <Notice tone="warn">{vocabulary.error(refusal)}</Notice>
          {isTaken && (
            <Button size="small" disabled={actions.busy} onClick={() => add(true)}>
              {t('move_here')}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
