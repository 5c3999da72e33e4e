import type { backupsEn } from '../../features/vault-backups/messages.en.ts';
import type { documentEn } from '../../features/documents/page/messages.en.ts';
import type { labsEn } from '../../features/labs/messages.en.ts';
import type { namesEn } from '../../features/names/messages.en.ts';
import type { phonesEn } from '../../features/phone-backups/messages.en.ts';
import type { settingsEn } from '../../features/settings/messages.en.ts';
import type { timelineEn } from '../../features/timeline/messages.en.ts';
import type { vaultFilesEn } from '../../features/vault-files/messages.en.ts';
import type { viewerEn } from '../../ui/viewer/messages.en.ts';
import type { en } from '../../locales/en.ts';

/** Namespaces of the catalogues and their keys. */
export interface Catalogues {
  app: typeof en;
  viewer: typeof viewerEn;
  document: typeof documentEn;
  labs: typeof labsEn;
  names: typeof namesEn;
  phones: typeof phonesEn;
  settings: typeof settingsEn;
  timeline: typeof timelineEn;
  backups: typeof backupsEn;
  vault_files: typeof vaultFilesEn;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: Catalogues;
  }
}
