import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import {
  FileText,
  FlaskConical,
  Keyboard,
  Languages,
  LogOut,
  Moon,
  Stethoscope,
  Upload,
  type LucideIcon,
} from 'lucide-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SECTIONS } from '../../features/settings/sections.ts';
import { Icon } from '../../ui/icon.tsx';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { documentName } from '../../client/document-name.ts';
import { useFormats } from '../../client/format.ts';
import { LANGUAGES, setLanguage } from '../../client/language.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMe, useSignOut } from '../../client/session.tsx';
import { useTheme } from '../../client/theme.ts';
import { DESTINATIONS } from './destinations.ts';
import { Highlighted } from '../../client/highlighted.tsx';
import { lineAround } from '../../client/snippet.ts';

/** One box for everything: pages, documents as one types, doctors, tests, commands. */
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
  const { t, i18n } = useTranslation();
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { setTheme } = useTheme();
  const patient = useSearch({ strict: false }).patient;
  const [text, setText] = useState('');
  const q = text.trim();
  const { data, isFetching } = useQuery({
    queryKey: [...cacheKeys.suggestions, patient ?? 'all', q],
    enabled: open && q.length > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(contract.documents.suggest, { query: { q, ...(patient && { patient_id: patient }) } }, signal),
  });
  const found = q.length > 1 ? data : undefined;
  const run = (action: () => void) => () => {
    onOpenChange(false);
    setText('');
    action();
  };
  const matches = (label: string): boolean => q === '' || label.toLowerCase().includes(q.toLowerCase());
  const commands: { label: string; glyph: LucideIcon; act: () => void }[] = [
    { label: t('command.upload'), glyph: Upload, act: onUpload },
    {
      label: t('command.theme'),
      glyph: Moon,
      act: () => setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'),
    },
    ...LANGUAGES.filter(({ value }) => value !== i18n.language).map(({ value }) => ({
      label: i18n.getFixedT(value, 'language')('switch_to'),
      glyph: Languages,
      act: () => setLanguage(value),
    })),
    { label: t('command.keys'), glyph: Keyboard, act: onKeys },
    { label: t('command.signout'), glyph: LogOut, act: () => void signOut() },
  ].filter(({ label }) => matches(label));
  const isAdmin = useMe()?.role === 'admin';
  // The sections of the settings come once something is typed: the list of all pages stays short.
  const sections =
    q === ''
      ? []
      : SECTIONS.filter(({ to, adminOnly }) => to !== '/settings' && (isAdmin || !adminOnly)).map(
          ({ to, label, glyph }) => ({ to, glyph, label: `${t('nav.settings')} › ${t(label, { ns: 'settings' })}` }),
        );
  const pages = [
    ...DESTINATIONS.map(({ to, name, glyph }) => ({ to, glyph, label: t(`nav.${name}`) })),
    ...sections,
  ].filter(({ label }) => matches(label));
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next) setText('');
      }}
    >
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
              {found && q !== '' && (
                <Command.Group heading={t('search.documents')}>
                  <Command.Item
                    className="menu-item"
                    value={`all ${q}`}
                    onSelect={run(
                      () => void navigate({ to: '/documents', search: (search) => ({ patient: search.patient, q }) }),
                    )}
                  >
                    <Icon glyph={FileText} />
                    <span className="truncate">
                      {t('documents.search')}: “{q}”
                    </span>
                  </Command.Item>
                  {found.documents.map((document) => (
                    <Command.Item
                      key={document.id}
                      className="menu-item palette-hit"
                      value={`document ${document.id}`}
                      onSelect={run(
                        () =>
                          void navigate({
                            to: '/documents/$id',
                            params: { id: String(document.id) },
                            search: { find: q },
                          }),
                      )}
                    >
                      <Icon glyph={FileText} />
                      <span className="palette-words">
                        <span className="truncate">
                          {documentName(document)}{' '}
                          <span className="cap">
                            {[vocabulary.documentType(document.doc_type), document.patient_name]
                              .filter(Boolean)
                              .join(' · ')}
                          </span>
                        </span>
                        <span className="cap truncate">
                          <Highlighted text={lineAround(document.snippet)} />
                        </span>
                      </span>
                      <span className="cap num">{formats.date(document.event_date)}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {found && found.doctors.length > 0 && (
                <Command.Group heading={t('search.doctors')}>
                  {found.doctors.map((doctor) => (
                    <Command.Item
                      key={doctor.id}
                      className="menu-item"
                      value={`doctor ${doctor.id}`}
                      onSelect={run(
                        () =>
                          void navigate({
                            to: '/documents',
                            search: (search) => ({ patient: search.patient, doctor_id: String(doctor.id) }),
                          }),
                      )}
                    >
                      <Icon glyph={Stethoscope} />
                      {doctor.name}
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {found && found.tests.length > 0 && (
                <Command.Group heading={t('search.tests')}>
                  {found.tests.map((test) => (
                    <Command.Item
                      key={test}
                      className="menu-item"
                      value={`test ${test}`}
                      onSelect={run(
                        () => void navigate({ to: '/labs', search: (search) => ({ patient: search.patient, test }) }),
                      )}
                    >
                      <Icon glyph={FlaskConical} />
                      {test}
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {pages.length > 0 && (
                <Command.Group heading={t('search.pages')}>
                  {pages.map(({ to, label, glyph }) => (
                    <Command.Item
                      key={to}
                      className="menu-item"
                      value={`page ${to}`}
                      onSelect={run(() => void navigate({ to }))}
                    >
                      <Icon glyph={glyph} />
                      {label}
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {commands.length > 0 && (
                <Command.Group heading={t('search.commands')}>
                  {commands.map(({ label, glyph, act }) => (
                    <Command.Item key={label} className="menu-item" value={`command ${label}`} onSelect={run(act)}>
                      <Icon glyph={glyph} />
                      {label}
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
