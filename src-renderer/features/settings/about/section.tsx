import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import list from '../../../../docs/licences.md?raw';
import { version } from '../../../../package.json';
import { useMe } from '../../../client/session.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSettings } from '../queries.ts';

/** Notices that must be shown wherever the knowledge base is used. */
const NOTICES = import.meta.glob<string>('../../../../resources/licences/*.{md,txt}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const nameOf = (path: string): string => (path.split('/').pop() ?? '').replace(/\.\w+$/, '').replaceAll('-', ' ');

/** Shows the version, where Hearth stores its data, and the licenses of the components it contains. */
export default function AboutSection() {
  const { t } = useTranslation();
  const isAdmin = useMe()?.role === 'admin';
  return (
    <>
      <Panel title={t('settings.about')} aside={version}>
        <div className="panel-body stack">
          <p>{t('settings.about_text')}</p>
          {isAdmin && <VaultPath />}
        </div>
      </Panel>
      <Panel title={t('licences', { ns: 'settings' })}>
        <div className="panel-body stack">
          <p>{t('licences_text', { ns: 'settings' })}</p>
          <Notice title={t('licences_list', { ns: 'settings' })} text={list} />
          {Object.entries(NOTICES).map(([path, text]) => (
            <Notice key={path} title={<span translate="no">{nameOf(path)}</span>} text={text} />
          ))}
        </div>
      </Panel>
    </>
  );
}

const Notice = ({ title, text }: { title: ReactNode; text: string }) => (
  <details>
    <summary>{title}</summary>
    <pre className="settings-notice" tabIndex={0} lang="en" translate="no">
      {text}
    </pre>
  </details>
);

function VaultPath() {
  const { t } = useTranslation('settings');
  const { data } = useSettings();
  return data ? (
    <p>
      {t('vault_at')} <span className="mono">{data.vault.path}</span>
    </p>
  ) : null;
}
