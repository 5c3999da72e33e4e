import { archiveImports } from './archive-imports.ts';
import { assistants } from './assistants.ts';
import { auth } from './auth.ts';
import { audit } from './audit.ts';
import { vaultBackups } from './vault-backups.ts';
import { chat } from './chat.ts';
import { documentRows } from './document-rows.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { healthLinks } from './health-links.ts';
import { imaging } from './imaging.ts';
import { labs } from './labs.ts';
import { documentLinks } from './document-links.ts';
import { mail } from './mail.ts';
import { meaning } from './meaning.ts';
import { names } from './names.ts';
import { oidc } from './oidc.ts';
import { passkeys } from './passkeys.ts';
import { patients } from './patients.ts';
import { phoneImport } from './phone-backups/import.ts';
import { pipeline } from './pipeline.ts';
import { providers } from './providers.ts';
import { prompts } from './prompts.ts';
import { review } from './review.ts';
import { sample } from './sample.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { share } from './share.ts';
import { shares } from './shares.ts';
import { suggestions } from './suggestions.ts';
import { tickerSourceList } from './ticker-source.ts';
import { tickers } from './tickers.ts';
import { timeline } from './timeline.ts';
import { today } from './today.ts';
import { readerTrials } from './reader-trials.ts';
import { translations } from './translations.ts';
import { trash } from './trash.ts';
import { users } from './users.ts';
import { vaultEncryption } from './vault-encryption.ts';
import { vaultFiles } from './vault-files.ts';
import { vaultLock } from './vault-lock.ts';
import { vaults } from './vaults.ts';
import { viewerAccesses } from './viewer-access.ts';

/** Every endpoint of the API by area. Router, client, API reference and tests derive from this table. */
export const contract = {
  auth,
  patients,
  documents,
  translations,
  suggestions,
  documentLinks,
  events,
  documentRows,
  labs,
  imaging,
  viewerAccesses,
  names,
  timeline,
  chat,
  assistants,
  pipeline,
  today,
  review,
  trash,
  settings,
  prompts,
  providers,
  readerTrials,
  meaning,
  users,
  sessions,
  audit,
  oidc,
  passkeys,
  vaultFiles,
  vaultBackups,
  archiveImports,
  vaults,
  vaultLock,
  vaultEncryption,
  phoneImport,
  shares,
  healthLinks,
  share,
  mail,
  sample,
  tickers,
  tickerSourceList,
} as const;
export type Contract = typeof contract;
