import { useTranslation } from 'react-i18next';
import { useCallback, useEffect, useRef, useState } from 'react';
import { DOCUMENT_TYPES } from '../../../../src-shared/medical/document-type.ts';
import { useSpecialtyName } from '../../../client/entry-name.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Chip, RemovableChip } from '../../../ui/chip.tsx';
import { OptionList, type Option } from '../../../ui/combobox.tsx';
import { DateInput } from '../../../ui/date-input.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { PHONE, useMedia } from '../../../ui/use-media.ts';
import { Button } from '../../../ui/button.tsx';
import type { ListSearch } from '../../../client/document-list.ts';
import { isFiltered, NO_FILTERS, useFacets } from './queries.ts';

type FilterName = 'type' | 'doctor_id' | 'facility_id' | 'specialty' | 'event_id' | 'status' | 'tag';
type Change = (part: Partial<ListSearch>, how?: { isTyping: boolean }) => void;

const splitList = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

/** One chip per filter; active filters show their value and can be removed. */
export function FilterBar({ search, change }: { search: ListSearch; change: Change }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const specialtyName = useSpecialtyName();
  const facets = useFacets(search).data;
  const options = (
    list: { value: string; label: string; count: number }[] | undefined,
    name: (value: string, label: string) => string,
  ): Option[] =>
    (list ?? []).map(({ value, label, count }) => ({
      value,
      label: value === '__blank__' ? t('filter.blank') : name(value, label),
      note: formats.count(count),
    }));
  const labelOf = (_: string, label: string): string => label;
  const typeName = (value: string, label: string): string => {
    const type = DOCUMENT_TYPES.find((candidate) => candidate === value);
    return type ? vocabulary.documentType(type) : label;
  };
  const filters: { name: FilterName; label: string; options: Option[] }[] = [
    { name: 'type', label: t('filter.type'), options: options(facets?.types, typeName) },
    { name: 'doctor_id', label: t('filter.doctor'), options: options(facets?.doctors, labelOf) },
    { name: 'facility_id', label: t('filter.facility'), options: options(facets?.facilities, labelOf) },
    {
      name: 'specialty',
      label: t('filter.specialty'),
      options: options(facets?.specialties, (_, label) => specialtyName(label)),
    },
    { name: 'event_id', label: t('filter.event'), options: options(facets?.events, labelOf) },
    {
      name: 'status',
      label: t('filter.status'),
      options: options(facets?.statuses, (value) => vocabulary.status(value)),
    },
    { name: 'tag', label: t('filter.tag'), options: options(facets?.tags, labelOf) },
  ];
  const isPhone = useMedia(PHONE);
  const [isOpen, setOpen] = useState(false);
  const years = (facets?.years ?? []).map(({ value }) => value).filter((value) => /^\d{4}$/.test(value));
  const count = filters.filter(({ name }) => search[name]).length + (search.date_from || search.date_to ? 1 : 0);
  return (
    <div className="filter-bar" role="group" aria-label={t('filter.bar')}>
      <SearchBox text={search.q ?? ''} onChange={(q) => change({ q }, { isTyping: true })} />
      {isPhone && (
        <Chip isOn={count > 0} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('filter.toggle', { count })}
        </Chip>
      )}
      {(!isPhone || isOpen) && <DateFilter search={search} years={years} change={change} />}
      {(isPhone && !isOpen ? [] : filters)
        .filter(({ name, options: list }) => list.length > 0 || search[name])
        .map(({ name, label, options: list }) => (
          <ListFilter
            key={name}
            label={label}
            options={list}
            selected={splitList(search[name])}
            onChange={(values) => change({ [name]: values.join(',') || undefined })}
          />
        ))}
      {isFiltered(search) && (
        <Button variant="quiet" size="small" onClick={() => change(NO_FILTERS)}>
          {t('action.clear_all')}
        </Button>
      )}
    </div>
  );
}

/** Time without a keystroke after which the list follows, ms. */
const TYPING_PAUSE = 150;

/** Filters the list while the user types; the text follows the address, for example on Back. */
function SearchBox({ text, onChange }: { text: string; onChange: (q: string | undefined) => void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(text);
  const sent = useRef(text);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const send = useCallback((line: string) => {
    if (line === sent.current) return;
    sent.current = line;
    latest.current(line || undefined);
  }, []);
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setDraft(text);
  }, [text]);
  useEffect(() => {
    const timer = setTimeout(() => send(draft.trim()), draft === '' ? 0 : TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [draft, send]);
  return (
    <form
      role="search"
      className="filter-search"
      onSubmit={(event) => {
        event.preventDefault();
        send(draft.trim());
      }}
    >
      <Input
        type="search"
        aria-label={t('documents.search')}
        title={t('search.hint')}
        placeholder={t('search.label')}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
    </form>
  );
}

function ListFilter({
  label,
  options,
  selected,
  onChange,
}: {
  label: string;
  options: Option[];
  selected: string[];
  onChange: (values: string[]) => void;
}) {
  const { t } = useTranslation();
  const nameOf = (value: string): string => options.find((option) => option.value === value)?.label ?? value;
  const [first] = selected;
  const text = (): string => {
    if (first === undefined) return label;
    return selected.length > 1
      ? t('filter.and_more', { first: nameOf(first), count: selected.length - 1 })
      : nameOf(first);
  };
  const chip = (
    <Popover label={label} trigger={<Chip isOn={selected.length > 0}>{text()}</Chip>}>
      <OptionList
        label={label}
        placeholder={t('filter.find', { what: label })}
        emptyText={t('filter.nothing')}
        options={options}
        selected={selected}
        onChoose={(value) =>
          onChange(selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value])
        }
      />
    </Popover>
  );
  return selected.length > 0 ? (
    <RemovableChip removeLabel={t('filter.remove', { name: label })} onRemove={() => onChange([])}>
      {chip}
    </RemovableChip>
  ) : (
    chip
  );
}

function DateFilter({ search, years, change }: { search: ListSearch; years: string[]; change: Change }) {
  const { t } = useTranslation();
  const text = useDateFilterText(search);
  const hasDates = Boolean(search.date_from ?? search.date_to);
  const chip = (
    <Popover label={t('filter.date')} trigger={<Chip isOn={hasDates}>{text}</Chip>}>
      <div className="popover-body">
        <YearGrid years={years} selected={text} change={change} />
        <DateFilterField
          label={t('filter.from')}
          value={search.date_from}
          onChange={(date) => change({ date_from: date })}
        />
        <DateFilterField label={t('filter.to')} value={search.date_to} onChange={(date) => change({ date_to: date })} />
      </div>
    </Popover>
  );
  if (!hasDates) return chip;
  return (
    <RemovableChip
      removeLabel={t('filter.remove', { name: t('filter.date') })}
      onRemove={() => change({ date_from: undefined, date_to: undefined })}
    >
      {chip}
    </RemovableChip>
  );
}

/** The filter in words: a year, a range, or one bound. */
function useDateFilterText({ date_from: from, date_to: to }: ListSearch): string {
  const { t } = useTranslation();
  const formats = useFormats();
  const year = from?.slice(0, 4) ?? '';
  if (from?.endsWith('-01-01') && to === `${year}-12-31`) return year;
  if (from && to) return t('filter.range', { from: formats.date(from), to: formats.date(to) });
  if (from) return t('filter.since', { date: formats.date(from) });
  return to ? t('filter.until', { date: formats.date(to) }) : t('filter.date');
}

const MAX_YEARS = 12;

function YearGrid({ years, selected, change }: { years: readonly string[]; selected: string; change: Change }) {
  const newestFirst = years.slice(0, MAX_YEARS).sort().reverse();
  return (
    <div className="year-grid">
      {newestFirst.map((year) => (
        <Chip
          key={year}
          isOn={selected === year}
          onClick={() => change({ date_from: `${year}-01-01`, date_to: `${year}-12-31` })}
        >
          {year}
        </Chip>
      ))}
    </div>
  );
}

function DateFilterField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (date: string | undefined) => void;
}) {
  const { locale } = useFormats();
  return (
    <Field label={label}>
      {(control) => (
        <DateInput
          {...control}
          locale={locale}
          value={value ?? ''}
          onChange={(civil) => onChange(civil || undefined)}
        />
      )}
    </Field>
  );
}
