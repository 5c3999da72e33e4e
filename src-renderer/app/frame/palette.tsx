import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import {
  FileText,
  FlaskConical,
  Keyboard,
  Languages,
  ListChecks,
  LogOut,
  Moon,
  Stethoscope,
  Upload,
  type LucideIcon,
} from 'lucide-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import { useTranslation } from 'react-i18next';
import { SECTIONS } from '../../features/settings/sections.ts';
import { Icon } from '../../ui/icon.tsx';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useTitles } from '../../client/document-title.ts';
import { toApiSearch } from '../../client/search-line.ts';
import { useFormats } from '../../client/format.ts';
import { LANGUAGES, setLanguage } from '../../client/language.ts';
import { useMe, useSignOut } from '../../client/session.tsx';
import { useTheme } from '../../client/theme.ts';
import { DESTINATIONS } from './destinations.ts';
import { Highlighted } from '../../client/highlighted.tsx';
import { lineAround } from '../../client/snippet.ts';

type Suggestions = Reply<typeof contract.documents.suggest>;
/** Wraps the action of an entry, so that the palette closes first. */
type Run = (action: () => void) => () => void;

interface Entry {
  key: string;
  label: ReactNode;
  /** The language of the label, if it differs from that of the page. */
  lang?: string | undefined;
  glyph: LucideIcon;
  onSelect: () => void;
}

/** The command palette: searches documents, doctors and tests, and lists pages and commands. */
export function Palette({
  open,
  onOpenChange,
  onUpload,
  onKeys,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onUpload: () => void;
  onKeys: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const q = text.trim();
  const { suggestions, isFetching } = useSuggestions(q, open);
  const setOpen = (next: boolean): void => {
    onOpenChange(next);
    if (!next) setText('');
  };
  const run: Run = (action) => () => {
    setOpen(false);
    action();
  };
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <div className="scrim" aria-hidden="true" />
        <Dialog.Content className="float dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="sr-only">{t('search.palette')}</Dialog.Title>
          <Command label={t('search.palette')} shouldFilter={false} loop>
            <Command.Input
              className="float-input"
              placeholder={t('search.placeholder')}
              value={text}
              onValueChange={setText}
            />
            <Command.List className="option-list" label={t('search.palette')}>
              <Command.Empty className="float-empty">
                {isFetching ? t('search.searching') : t('search.nothing', { text: q })}
              </Command.Empty>
              {suggestions && <SearchResults suggestions={suggestions} q={q} run={run} />}
              <PageGroup q={q} run={run} />
              <CommandGroup q={q} run={run} onUpload={onUpload} onKeys={onKeys} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Suggestions for two or more characters; the previous ones stay visible while the next ones load. */
function useSuggestions(q: string, isOpen: boolean) {
  const patient = useSearch({ strict: false }).patient;
  const isSearch = q.length > 1;
  const { data, isFetching } = useQuery({
    queryKey: [...cacheKeys.suggestions, patient ?? 'all', q],
    enabled: isOpen && isSearch,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        contract.documents.suggest,
        { query: { q: toApiSearch(q), ...(patient && { patient_id: patient }) } },
        signal,
      ),
  });
  return { suggestions: isSearch ? data : undefined, isFetching };
}

const matches = (label: string, q: string): boolean => q === '' || label.toLowerCase().includes(q.toLowerCase());

function EntryGroup({ heading, entries }: { heading: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <Command.Group heading={heading}>
      {entries.map(({ key, label, lang, glyph, onSelect }) => (
        <Command.Item key={key} lang={lang} className="menu-item" value={key} onSelect={onSelect}>
          <Icon glyph={glyph} />
          {label}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** Found documents, doctors and tests. */
function SearchResults({ suggestions, q, run }: { suggestions: Suggestions; q: string; run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const openList = (filter: { q?: string; doctor_id?: string }) =>
    run(() => void navigate({ to: '/documents', search: (search) => ({ patient: search.patient, ...filter }) }));
  return (
    <>
      <Command.Group heading={t('search.documents')}>
        <Command.Item className="menu-item" value={`all ${q}`} onSelect={openList({ q })}>
          <Icon glyph={FileText} />
          <span className="truncate">
            {t('documents.search')}: “{q}”
          </span>
        </Command.Item>
        {suggestions.documents.map((document) => (
          <DocumentItem key={document.id} document={document} q={q} run={run} />
        ))}
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
      <EntryGroup
        heading={t('search.tests')}
        entries={suggestions.tests.map((test) => ({
          key: `test ${test}`,
          label: test,
          glyph: FlaskConical,
          onSelect: run(() => void navigate({ to: '/labs', search: (search) => ({ patient: search.patient, test }) })),
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
      onSelect={run(() => void navigate({ to: '/documents/$id', params, search: { find: q } }))}
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
      <span className="cap num">{formats.date(document.event_date)}</span>
    </Command.Item>
  );
}

/** Pages; the sections of the settings only appear once a text is typed, which keeps the list short. */
function PageGroup({ q, run }: { q: string; run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isAdmin = useMe()?.role === 'admin';
  const sections = SECTIONS.filter(({ to, adminOnly }) => q !== '' && to !== '/settings' && (isAdmin || !adminOnly));
  const pages = [
    ...DESTINATIONS.map(({ to, name, glyph }) => ({ to, glyph, label: t(`nav.${name}`) })),
    { to: '/review' as const, glyph: ListChecks, label: t('title', { ns: 'review' }) },
    ...sections.map(({ to, label, glyph }) => ({
      to,
      glyph,
      label: `${t('nav.settings')} › ${t(label, { ns: 'settings' })}`,
    })),
  ].filter(({ label }) => matches(label, q));
  const entries = pages.map(({ to, label, glyph }) => ({
    key: `page ${to}`,
    label,
    glyph,
    onSelect: run(() => void navigate({ to })),
  }));
  return <EntryGroup heading={t('search.pages')} entries={entries} />;
}

function CommandGroup({ q, run, onUpload, onKeys }: { q: string; run: Run; onUpload: () => void; onKeys: () => void }) {
  const { t, i18n } = useTranslation();
  const signOut = useSignOut();
  const { setTheme } = useTheme();
  const toggleTheme = (): void => setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark');
  const languages = LANGUAGES.filter(({ value }) => value !== i18n.language).map(({ value }) => ({
    label: i18n.getFixedT(value, 'language')('switch_to'),
    glyph: Languages,
    lang: value,
    act: () => setLanguage(value),
  }));
  const commands: { label: string; lang?: string; glyph: LucideIcon; act: () => void }[] = [
    { label: t('command.upload'), glyph: Upload, act: onUpload },
    { label: t('command.theme'), glyph: Moon, act: toggleTheme },
    ...languages,
    { label: t('command.keys'), glyph: Keyboard, act: onKeys },
    { label: t('command.signout'), glyph: LogOut, act: () => void signOut() },
  ].filter(({ label }) => matches(label, q));
  const entries = commands.map(({ label, lang, glyph, act }) => ({
    key: `command ${label}`,
    label,
    lang,
    glyph,
    onSelect: run(act),
  }));
  return <EntryGroup heading={t('search.commands')} entries={entries} />;
}
