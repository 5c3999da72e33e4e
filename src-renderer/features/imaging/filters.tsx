import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedStudy } from '../../../src-shared/contract/imaging.ts';
import { localeOf } from '../../client/language.ts';
import type { StudySearch } from '../../client/study-search.ts';
import { Button } from '../../ui/button.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { isFiltered, NO_FILTERS } from './queries.ts';

/** The kinds of devices that people know; others are found by the search of the address. */
const MODALITIES = ['CT', 'MR', 'US', 'CR', 'DX', 'MG', 'PT', 'NM', 'XA', 'RF', 'OT'] as const;
const REPORT_STATUSES: readonly ListedStudy['report_status'][] = ['placeholder', 'attached'];
/** Time without a keystroke after which the list follows, ms. */
const TYPING_PAUSE = 200;

/** Search and filters above the list; all of them are in the address. */
export function StudyFilters({
  search,
  change,
}: {
  search: StudySearch;
  change: (part: Partial<StudySearch>) => void;
}) {
  const { t, i18n } = useTranslation('imaging');
  const any = { value: '', label: t('any') };
  return (
    <div className="im-filters" role="group" aria-label={t('filters')}>
      <Search text={search.q ?? ''} onChange={(q) => change({ q })} />
      <Field label={t('modality')}>
        {(control) => (
          <Select
            {...control}
            value={search.modality ?? ''}
            options={[any, ...MODALITIES.map((value) => ({ value, label: `${value} · ${t(`modality_${value}`)}` }))]}
            onChange={({ target }) => change({ modality: target.value || undefined })}
          />
        )}
      </Field>
      <Field label={t('report')}>
        {(control) => (
          <Select
            {...control}
            value={search.report_status ?? ''}
            options={[any, ...REPORT_STATUSES.map((value) => ({ value, label: t(`report_${value}`) }))]}
            onChange={({ target }) => change({ report_status: target.value || undefined })}
          />
        )}
      </Field>
      {(['date_from', 'date_to'] as const).map((name) => (
        <Field key={name} label={t(name)}>
          {(control) => (
            <DateInput
              {...control}
              locale={localeOf(i18n.language)}
              value={search[name] ?? ''}
              onChange={(date) => change({ [name]: date || undefined })}
            />
          )}
        </Field>
      ))}
      {isFiltered(search) && (
        <Button variant="quiet" onClick={() => change(NO_FILTERS)}>
          {t('clear_filters')}
        </Button>
      )}
    </div>
  );
}

/** The list follows while the user types; the text follows the address, for example on Back. */
function Search({ text, onChange }: { text: string; onChange: (q: string | undefined) => void }) {
  const { t } = useTranslation('imaging');
  const [draft, setDraft] = useState(text);
  const sent = useRef(text);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setDraft(text);
  }, [text]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const line = draft.trim();
      if (line === sent.current) return;
      sent.current = line;
      latest.current(line || undefined);
    }, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <Field label={t('search')}>
      {(control) => (
        <Input
          {...control}
          type="search"
          placeholder={t('search_hint')}
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
        />
      )}
    </Field>
  );
}
