import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import {
  Keyboard,
  Languages,
  ListChecks,
  Lock,
  LogOut,
  Moon,
  Search,
  Share2,
  Upload,
  type LucideIcon,
} from 'lucide-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COMMANDS, type CommandName } from '../../../src-shared/contract/commands.ts';
import { SECTIONS } from '../../features/settings/sections.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useEncryption } from '../../client/encryption.ts';
import { toApiSearch } from '../../client/search-line.ts';
import { LANGUAGES, setLanguage } from '../../client/language.ts';
import { useMayShare, useMe, usePatients } from '../../client/session.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { DESTINATIONS } from './destinations.ts';
import { EntryGroup, isNamed, matches, type Run } from './palette-entries.tsx';
import { PeopleGroup, SearchResults } from './palette-results.tsx';

/** Entries of the settings at once; more than these push documents out of sight. */
const MAX_SETTINGS = 6;

/** The command palette: searches people, documents, doctors and tests, and lists pages and commands. */
export function Palette({
  open,
  onOpenChange,
  commands,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  commands: Readonly<Record<CommandName, () => void>>;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const q = text.trim();
  const { suggestions, isFetching } = useSuggestions(q, open);
  const returnFocus = useReturnFocus(open);
  const setOpen = (next: boolean): void => {
    onOpenChange(next);
    if (!next) setText('');
  };
  const { list, choice, choose } = useFirstChoice(suggestions);
  const run: Run = (action) => () => {
    setOpen(false);
    action();
  };
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <div className="scrim" aria-hidden="true" />
        <Dialog.Content className="float dialog palette" aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <Dialog.Title className="sr-only">{t('search.palette')}</Dialog.Title>
          <Command label={t('search.palette')} shouldFilter={false} loop value={choice} onValueChange={choose}>
            <Command.Input
              className="float-input"
              placeholder={t('search.placeholder')}
              value={text}
              onValueChange={setText}
            />
            <Command.List ref={list} className="option-list" label={t('search.palette')}>
              <Command.Empty className="float-empty">
                {isFetching ? t('search.searching') : t('search.nothing', { text: q })}
              </Command.Empty>
              <PeopleGroup q={q} run={run} />
              <OwnGroups q={q} run={run} commands={commands} isIncluded={(label) => isNamed(label, q)} />
              {suggestions && <SearchResults suggestions={suggestions} q={q} run={run} onSearch={setText} />}
              <OwnGroups
                q={q}
                run={run}
                commands={commands}
                isIncluded={(label) => matches(label, q) && !isNamed(label, q)}
              />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The first entry is chosen again when suggestions arrive, which are drawn above others. */
function useFirstChoice(suggestions: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const [choice, choose] = useState('');
  useEffect(() => {
    const first = list.current?.querySelector('[cmdk-item]')?.getAttribute('data-value');
    if (suggestions !== undefined && first) choose(first);
  }, [suggestions]);
  return { list, choice, choose };
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

interface OwnProps {
  q: string;
  run: Run;
  /** Which of the labels are listed. */
  isIncluded: (label: string) => boolean;
}

/** Hearth's own entries. Those that the text names are above the documents, others below. */
const OwnGroups = ({ commands, ...own }: OwnProps & { commands: Readonly<Record<CommandName, () => void>> }) => (
  <>
    <PageGroup {...own} />
    <SettingsGroup {...own} />
    <CommandGroup {...own} commands={commands} />
  </>
);

function PageGroup({ run, isIncluded }: OwnProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const pages = [
    ...DESTINATIONS.map(({ to, name, glyph }) => ({ to, glyph, label: t(`nav.${name}`) })),
    { to: '/review' as const, glyph: ListChecks, label: t('title', { ns: 'review' }) },
  ].filter(({ label }) => isIncluded(label));
  const entries = pages.map(({ to, label, glyph }) => ({
    key: `page ${to}`,
    label,
    glyph,
    onSelect: run(() => void navigate({ to })),
  }));
  return <EntryGroup heading={t('search.pages')} entries={entries} />;
}

/** Sections of the settings and their panels, once a text is typed, which keeps the list short. */
function SettingsGroup({ q, run, isIncluded }: OwnProps) {
  const { t } = useTranslation(['app', 'settings', 'vault_backups', 'archive_imports', 'vaults', 'encryption']);
  const navigate = useNavigate();
  const isAdmin = useMe()?.role === 'admin';
  const settings = SECTIONS.filter(({ adminOnly }) => q !== '' && (isAdmin || !adminOnly)).flatMap(
    ({ to, label, glyph, panels }) => {
      const section = t(label, { ns: 'settings' });
      return [section, ...panels.map((panel) => `${section} › ${t(panel)}`)].map((name) => ({ to, glyph, name }));
    },
  );
  const entries = settings
    .filter(({ name }) => isIncluded(name))
    .slice(0, MAX_SETTINGS)
    .map(({ to, glyph, name }) => ({
      key: `setting ${name}`,
      label: name,
      glyph,
      onSelect: run(() => void navigate({ to })),
    }));
  return <EntryGroup heading={t('search.settings')} entries={entries} />;
}

const COMMAND_GLYPHS: Record<CommandName, LucideIcon> = {
  upload: Upload,
  palette: Search,
  theme: Moon,
  keys: Keyboard,
  lock: Lock,
  signout: LogOut,
};

function CommandGroup({
  run,
  isIncluded,
  commands,
}: OwnProps & { commands: Readonly<Record<CommandName, () => void>> }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const mayShare = useMayShare();
  const isAdmin = useMe()?.role === 'admin';
  const canLock = useEncryption(isAdmin).data?.can_lock === true;
  const isOwner = usePatients().some(({ id }) => mayShare(id));
  const lines: { label: string; lang?: string; glyph: LucideIcon; act: () => void }[] = COMMANDS
    // The palette is open already.
    .filter(({ name }) => name !== 'palette' && (name !== 'lock' || canLock))
    .map(({ name }) => ({ label: t(`command.${name}`), glyph: COMMAND_GLYPHS[name], act: commands[name] }));
  const share = { label: t('new', { ns: 'shares' }), glyph: Share2, act: () => void navigate({ to: '/shares/new' }) };
  if (isOwner) lines.splice(1, 0, share);
  const languages = LANGUAGES.filter(({ value }) => value !== i18n.language).map(({ value, switchTo }) => ({
    label: switchTo,
    glyph: Languages,
    lang: value,
    act: () => setLanguage(value),
  }));
  lines.splice(-2, 0, ...languages);
  const entries = lines
    .filter(({ label }) => isIncluded(label))
    .map(({ label, lang, glyph, act }) => ({ key: `command ${label}`, label, lang, glyph, onSelect: run(act) }));
  return <EntryGroup heading={t('search.commands')} entries={entries} />;
}
