import { auth } from './auth.ts';
import { audit } from './audit.ts';
import { vaultBackups } from './vault-backups.ts';
import { documentRows } from './document-rows.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { labs } from './labs.ts';
import { documentLinks } from './document-links.ts';
import { names } from './names.ts';
import { oidc } from './oidc.ts';
import { patients } from './patients.ts';
import { phoneImport } from './phone-backups/import.ts';
import { pipeline } from './pipeline.ts';
import { prompts } from './prompts.ts';
import { review } from './review.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { timeline } from './timeline.ts';
import { today } from './today.ts';
import { trash } from './trash.ts';
import { users } from './users.ts';
import { vaultFiles } from './vault-files.ts';

/** Every endpoint of the API by area. Router, client, API reference and tests derive from this table. */
export const contract = {
  auth,
  patients,
  documents,
  documentLinks,
  events,
  documentRows,
  labs,
  names,
  timeline,
  pipeline,
  today,
  review,
  trash,
  settings,
  prompts,
  users,
  sessions,
  audit,
  oidc,
  vaultFiles,
  vaultBackups,
  phoneImport,
} as const;
export type Contract = typeof contract;
