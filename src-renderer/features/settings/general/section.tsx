import { useTranslation } from 'react-i18next';
import { LANGUAGES, setLanguage } from '../../../client/language.ts';
import { isInShell } from '../../../client/shell-bridge.ts';
import { useTheme } from '../../../client/theme.ts';
import { Segments } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { AccountPanel } from './account.tsx';
import { ComputerPanel } from './computer.tsx';
import { PasskeysPanel } from './passkeys.tsx';
import { ViewerAccessPanel } from './viewer-access.tsx';

/** General settings: appearance and own account. */
export default function GeneralSection() {
  const { t, i18n } = useTranslation();
  const { theme, setTheme } = useTheme();
  return (
    <>
      <Panel title={t('settings.look')}>
        <div className="panel-body settings-rows">
          <span>{t('theme.label')}</span>
          <Segments
            label={t('theme.label')}
            value={theme}
            onChange={setTheme}
            options={[
              { value: 'light', label: t('theme.light') },
              { value: 'dark', label: t('theme.dark') },
              { value: 'system', label: t('theme.system') },
            ]}
          />
          <span>{t('settings.language')}</span>
          <Segments label={t('settings.language')} value={i18n.language} onChange={setLanguage} options={LANGUAGES} />
        </div>
      </Panel>
      <AccountPanel />
      {!isInShell() && <PasskeysPanel />}
      <ViewerAccessPanel />
      {isInShell() && <ComputerPanel />}
    </>
  );
}
