import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { firstLanguage } from '../../client/language.ts';
import { de } from '../../locales/de.ts';
import { en } from '../../locales/en.ts';
import { backupsDe } from '../../features/vault-backups/messages.de.ts';
import { backupsEn } from '../../features/vault-backups/messages.en.ts';
import { documentDe } from '../../features/documents/page/messages.de.ts';
import { documentEn } from '../../features/documents/page/messages.en.ts';
import { labsDe } from '../../features/labs/messages.de.ts';
import { labsEn } from '../../features/labs/messages.en.ts';
import { namesDe } from '../../features/names/messages.de.ts';
import { namesEn } from '../../features/names/messages.en.ts';
import { phonesDe } from '../../features/phone-backups/messages.de.ts';
import { phonesEn } from '../../features/phone-backups/messages.en.ts';
import { settingsDe } from '../../features/settings/messages.de.ts';
import { settingsEn } from '../../features/settings/messages.en.ts';
import { timelineDe } from '../../features/timeline/messages.de.ts';
import { timelineEn } from '../../features/timeline/messages.en.ts';
import { vaultFilesDe } from '../../features/vault-files/messages.de.ts';
import { vaultFilesEn } from '../../features/vault-files/messages.en.ts';
import { viewerDe } from '../../ui/viewer/messages.de.ts';
import { viewerEn } from '../../ui/viewer/messages.en.ts';
import './catalogues.ts';

/** Starts the catalogues; `app` is the namespace of the frame and its pages. */
export function startI18n(): void {
  const language = firstLanguage();
  document.documentElement.lang = language;
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    defaultNS: 'app',
    ns: ['app', 'viewer', 'document', 'labs', 'names', 'phones', 'settings', 'timeline', 'backups', 'vault_files'],
    resources: {
      en: {
        app: en,
        viewer: viewerEn,
        document: documentEn,
        labs: labsEn,
        names: namesEn,
        phones: phonesEn,
        settings: settingsEn,
        timeline: timelineEn,
        backups: backupsEn,
        vault_files: vaultFilesEn,
      },
      de: {
        app: de,
        viewer: viewerDe,
        document: documentDe,
        labs: labsDe,
        names: namesDe,
        phones: phonesDe,
        settings: settingsDe,
        timeline: timelineDe,
        backups: backupsDe,
        vault_files: vaultFilesDe,
      },
    },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}
