import type { ArtifactName } from '../../contract/phone-backups/artifact-table.ts';
import { accounts, apps } from './apps.ts';
import { calendar } from './calendar.ts';
import { calls } from './calls.ts';
import { contacts } from './contacts.ts';
import { health } from './health.ts';
import { medications } from './medications.ts';
import { messages } from './messages.ts';
import { notes } from './notes.ts';
import { photos } from './photos.ts';
import { reminders } from './reminders.ts';
import { safari } from './safari.ts';
import { recordings, voicemail } from './voicemail-and-recordings.ts';
import type { ArtifactReader } from './source.ts';
import { whatsapp } from './whatsapp.ts';

/** The readers of all artifacts. */
export const READERS: { readonly [K in ArtifactName]: ArtifactReader } = {
  contacts,
  messages,
  whatsapp,
  calls,
  photos,
  notes,
  calendar,
  reminders,
  safari,
  voicemail,
  recordings,
  health,
  medications,
  apps,
  accounts,
};
