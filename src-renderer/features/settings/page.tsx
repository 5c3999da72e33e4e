import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../app/api.ts';
import { cacheKeys } from '../../app/cache-keys.ts';
import { useFormats } from '../../app/i18n/format.ts';
import { LANGUAGES, setLanguage, type Language } from '../../app/i18n/index.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';
import { useMe, useSignOut } from '../../app/session.tsx';
import { useTheme } from '../../app/theme.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { PatientsPanel } from './patients.tsx';
import { ReadingPanel } from './reading.tsx';
import './settings.css';

export default function SettingsPage() {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const signOut = useSignOut();
  const { theme, setTheme } = useTheme();
  return (
    <div className="page settings">
      <div className="page-head"><h1>{t('settings.title')}</h1></div>
      <Panel title={t('settings.look')}>
        <div className="panel-body settings-rows">
          <span>{t('theme.label')}</span><Segments label={t('theme.label')} value={theme} onChange={setTheme} options={[{ value: 'light', label: t('theme.light') }, { value: 'dark', label: t('theme.dark') }, { value: 'system', label: t('theme.system') }]} />
          <span>{t('settings.language')}</span><Segments label={t('settings.language')} value={i18n.language as Language} onChange={setLanguage} options={LANGUAGES} />
        </div>
      </Panel>
      <PatientsPanel />
      <ReadingPanel />
      <TrashPanel />
      <Panel title={t('settings.about')}>
        <div className="panel-body stack">
          <p>{t('settings.about_text')}</p>
          {me && <p className="row muted">{t('settings.signed_in', { name: me.display_name })}<Button size="small" onClick={() => void signOut()}>{t('settings.signout')}</Button></p>}
        </div>
      </Panel>
    </div>
  );
}

function TrashPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const { data, error, refetch } = useQuery({ queryKey: cacheKeys.trash, queryFn: ({ signal }) => call(contract.trash.list, {}, signal) });
  const restore = useMutation({
    mutationFn: ({ id }: { id: number; label: string }) => call(contract.trash.restore, { params: { id: String(id) } }),
    onSuccess: (_, { label }) => { show({ text: t('settings.restored', { name: label }) }); for (const queryKey of [cacheKeys.trash, cacheKeys.documents, cacheKeys.today, cacheKeys.patients]) void client.invalidateQueries({ queryKey }); },
    onError: (failure) => show({ text: words.error(failure), tone: 'bad' }),
  });
  return (
    <Panel title={t('settings.trash')} aside={t('settings.trash_text')}>
      {error && <ErrorState message={words.error(error)} retryLabel={t('action.retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={3} label={t('app.loading')} />}
      {data?.items.length === 0 && <p className="panel-body cap">{t('settings.trash_none')}</p>}
      <ul className="lines">
        {data?.items.map((item) => (
          <li key={item.id} className="trash-row">
            <span className="truncate strong">{item.label}</span><span className="muted">{t(`settings.kind_${item.kind}`)}</span>
            <span className="cap num">{t('settings.until', { date: formats.date(item.undo_until.slice(0, 10)) })}</span>
            <Button size="small" disabled={restore.isPending} onClick={() => restore.mutate({ id: item.id, label: item.label })}>{t('action.restore')}</Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
