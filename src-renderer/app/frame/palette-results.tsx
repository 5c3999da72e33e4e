import { Command } from 'cmdk';
import { FileText, FlaskConical, SpellCheck, Stethoscope, User } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { contract } from '../../client/api.ts';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import { useTitles } from '../../client/document-title.ts';
import { DoubtMark } from '../../client/doubt-mark.tsx';
import { useFormats } from '../../client/format.ts';
import { Highlighted } from '../../client/highlighted.tsx';
import { FLAG_SIGNS, flagOf, labValueText } from '../../client/lab-text.ts';
import { useNearHits } from '../../client/near-hits.ts';
import { Person, RowPerson } from '../../client/people.tsx';
import { usePatients } from '../../client/session.tsx';
import { useTestName } from '../../client/test-name.ts';
import { lineAround, textToFind } from '../../client/snippet.ts';
import { Icon } from '../../ui/icon.tsx';
import { EntryGroup, matches, type Run } from './palette-entries.tsx';

type Suggestions = Reply<typeof contract.documents.suggest>;

/** People by name; choosing one opens their Today page. */
export function PeopleGroup({ q, run }: { q: string; run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const patients = usePatients();
  if (q === '' || patients.length < 2) return null;
  const entries = patients
    .filter(({ display_name }) => matches(display_name, q))
    .map(({ id, display_name }) => ({
      key: `person ${id}`,
      label: <span translate="no">{display_name}</span>,
      glyph: User,
      onSelect: run(() => void navigate({ to: '/', search: { patient: String(id) } })),
    }));
  return <EntryGroup heading={t('search.people')} entries={entries} />;
}

interface SearchResultsProps {
  suggestions: Suggestions;
  q: string;
  run: Run;
  /** Replaces the typed text. */
  onSearch: (text: string) => void;
}

/** Found tests with their last values, documents and doctors; without documents, what may have been meant. */
export function SearchResults({ suggestions, q, run, onSearch }: SearchResultsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const openList = (filter: { q?: string; doctor_id?: string }) =>
    run(() => void navigate({ to: '/documents', search: (search) => ({ patient: search.patient, ...filter }) }));
  return (
    <>
      <TestGroup tests={suggestions.tests} run={run} />
      <Command.Group heading={t('search.documents')}>
        <Command.Item className="menu-item" value={`all ${q}`} onSelect={openList({ q })}>
          <Icon glyph={FileText} />
          <span className="truncate">{t('documents.search_for', { text: q })}</span>
        </Command.Item>
        {suggestions.documents.map((document) => (
          <DocumentItem key={document.id} document={document} q={q} run={run} />
        ))}
        {suggestions.documents.length === 0 && <NearItems q={q} run={run} onSearch={onSearch} />}
      </Command.Group>
      <EntryGroup
        heading={t('search.doctors')}
        entries={suggestions.doctors.map((doctor) => ({
          key: `doctor ${doctor.id}`,
          label: doctor.name,
          glyph: Stethoscope,
          onSelect: openList({ doctor_id: String(doctor.id) }),
        }))}
      />
    </>
  );
}

/** A found document with the line that contains the text. */
function DocumentItem({ document, q, run }: { document: Suggestions['documents'][number]; q: string; run: Run }) {
  const titles = useTitles();
  const formats = useFormats();
  const navigate = useNavigate();
  const params = { id: String(document.id) };
  return (
    <Command.Item
      className="menu-item palette-hit"
      value={`document ${document.id}`}
      onSelect={run(
        () => void navigate({ to: '/documents/$id', params, search: { find: textToFind(q, document.snippet) } }),
      )}
    >
      <Icon glyph={FileText} />
      <span className="palette-words">
        <span className="truncate">
          {titles.title(document)} <span className="cap">{titles.notable(document)}</span>
        </span>
        <span className="cap truncate">
          <Highlighted text={lineAround(document.snippet)} />
        </span>
      </span>
      <RowPerson of={document} />
      <span className="cap num">{formats.day(document.event_date)}</span>
    </Command.Item>
  );
}

/** Tests with the last result of each person. */
function TestGroup({ tests, run }: { tests: Suggestions['tests']; run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const patients = usePatients();
  const entries = tests.map((result) => ({
    key: `test ${result.patient_id} ${result.test}`,
    label: <LastValue result={result} isNamed={patients.length > 1} />,
    glyph: FlaskConical,
    onSelect: run(
      () => void navigate({ to: '/labs', search: { patient: String(result.patient_id), test: result.test } }),
    ),
  }));
  return <EntryGroup heading={t('search.tests')} entries={entries} />;
}

function LastValue({ result, isNamed }: { result: Suggestions['tests'][number]; isNamed: boolean }) {
  const formats = useFormats();
  const testName = useTestName();
  const flag = flagOf(result);
  return (
    <span className="palette-value">
      <span className="truncate">{testName({ ...result, test_name_original: result.test })}</span>
      {isNamed && <Person id={result.patient_id} name={result.patient_name} />}
      <span className="num">
        {flag !== null && (
          <span className={flag === 'low' ? 'low' : 'high'} aria-hidden="true">
            {FLAG_SIGNS[flag]}{' '}
          </span>
        )}
        {labValueText(result, formats.locale)} {result.unit}
        <DoubtMark doubt={result.doubt} />
      </span>
      <span className="cap num">{formats.day(result.test_date)}</span>
    </span>
  );
}

/** What a search without documents may have meant, to search for it, and the documents of all people. */
function NearItems({ q, run, onSearch }: { q: string; run: Run; onSearch: (text: string) => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const formats = useFormats();
  const patient = useSearch({ strict: false }).patient;
  const { data } = useNearHits(q, patient);
  const everyone = data?.everyone ?? 0;
  return (
    <>
      {data?.near.map(({ text, total }) => (
        <Command.Item key={text} className="menu-item" value={`near ${text}`} onSelect={() => onSearch(text)}>
          <Icon glyph={SpellCheck} />
          <span className="truncate">
            {t('search.did_you_mean')} <strong>{t('search.near', { text, hits: formats.count(total) })}</strong>
          </span>
        </Command.Item>
      ))}
      {data?.near_everyone.map(({ text, total }) => (
        <Command.Item
          key={text}
          className="menu-item"
          value={`near everyone ${text}`}
          onSelect={run(() => void navigate({ to: '/documents', search: { patient: undefined, q: text } }))}
        >
          <Icon glyph={User} />
          <span className="truncate">
            {t('search.did_you_mean')}{' '}
            <strong>{t('search.near_everyone', { text, hits: formats.count(total) })}</strong>
          </span>
        </Command.Item>
      ))}
      {everyone > 0 && (
        <Command.Item
          className="menu-item"
          value="everyone"
          onSelect={run(() => void navigate({ to: '/documents', search: { patient: undefined, q } }))}
        >
          <Icon glyph={User} />
          <span className="truncate">{t('search.everyone', { hits: formats.count(everyone) })}</span>
        </Command.Item>
      )}
    </>
  );
}
