import { accounts } from './auth.ts';
import { audit } from './audit.ts';
import { backups } from './vault-backups.ts';
import { documentRows } from './document-rows.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { labs } from './labs.ts';
import { links } from './document-links.ts';
import { names } from './names.ts';
import { oidc } from './oidc.ts';
import { patients } from './patients.ts';
import { phone } from './phone-backups/vault.ts';
import { pipeline } from './pipeline.ts';
import { prompts } from './prompts.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { timeline } from './timeline.ts';
import { today } from './today.ts';
import { trash } from './trash.ts';
import { users } from './users.ts';
import { vault } from './vault-files.ts';

/** Every endpoint of the API, by area. Router, client, reference and tests walk this table. */
export const contract = {
  accounts,
  patients,
  documents,
  links,
  events,
  documentRows,
  labs,
  names,
  timeline,
  pipeline,
  today,
  trash,
  settings,
  prompts,
  users,
  sessions,
  audit,
  oidc,
  vault,
  backups,
  phone,
} as const;
export type Contract = typeof contract;
