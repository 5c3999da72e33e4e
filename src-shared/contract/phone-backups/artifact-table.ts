import { z } from 'zod';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { accountRow, appRow, bookmarkRow, visitRow } from './app-rows.ts';
import { calendarRow, eventRow } from './calendar-rows.ts';
import { callRow, contactRow, voicemailRow } from './contact-rows.ts';
import {
  backupParams,
  DAY_RANGE,
  INDEX_ERRORS,
  listEndpoint,
  PAGING,
  pageOf,
  positionInThread,
  rowParams,
  SEARCH_TEXT,
  shortText,
  threadQuery,
} from './endpoint-parts.ts';
import { characteristics, clinicalRecord, healthType, medicationRow, sampleRow } from './health-rows.ts';
import { albumRow, noteRow, photoRow, recordingRow } from './library-rows.ts';
import { chatRow, conversationRow, messageRow } from './message-rows.ts';
import { reminderRow } from './reminder-rows.ts';

/** A message with the GUID of its conversation or chat, as the index stores it. */
const storedMessage = messageRow.extend({ parent: z.string() });

/**
 * All artifacts in the order in which they are indexed: contacts first, because all others use their names. For each
 * artifact:
 * - `tables`: the row schemas of its tables in the index;
 * - `lists`: endpoints that page through one of these tables, by name;
 * - `details`: endpoints with their own handler (`DETAIL_HANDLERS` in ios-backup/artifacts/index-store).
 *
 * Routes, worker handlers, index tables and types are derived from this table; for a new entry, the compiler names
 * whatever is still missing.
 */
export const ARTIFACT_TABLE = {
  contacts: {
    tables: { contacts: contactRow },
    lists: {
      contacts: {
        table: 'contacts',
        endpoint: listEndpoint('contacts', contactRow, SEARCH_TEXT, 'Lists contacts by name.'),
      },
    },
    details: {},
  },
  messages: {
    tables: { conversations: conversationRow, messages: storedMessage },
    lists: {
      conversations: {
        table: 'conversations',
        endpoint: listEndpoint(
          'messages/conversations',
          conversationRow,
          SEARCH_TEXT,
          'Lists conversations of Messages, most recent first.',
        ),
      },
    },
    details: {
      conversation: endpoint({
        method: 'GET',
        path: '/backups/{backup_id}/artifacts/messages/conversations/{guid}',
        access: 'token',
        params: rowParams,
        query: threadQuery,
        reply: pageOf(messageRow).extend({ conversation: conversationRow, place: positionInThread }),
        errors: ['phone.not_found', 'phone.row_not_found'],
        summary: 'Returns a conversation of Messages with its messages.',
      }),
    },
  },
  whatsapp: {
    tables: { chats: chatRow, chat_messages: storedMessage },
    lists: {
      chats: {
        table: 'chats',
        endpoint: listEndpoint('whatsapp/chats', chatRow, SEARCH_TEXT, 'Lists WhatsApp chats, most recent first.'),
      },
    },
    details: {
      chat: endpoint({
        method: 'GET',
        path: '/backups/{backup_id}/artifacts/whatsapp/chats/{guid}',
        access: 'token',
        params: rowParams,
        query: threadQuery,
        reply: pageOf(messageRow).extend({ chat: chatRow, place: positionInThread }),
        errors: ['phone.not_found', 'phone.row_not_found'],
        summary: 'Returns a WhatsApp chat with its messages.',
      }),
    },
  },
  calls: {
    tables: { calls: callRow },
    lists: {
      calls: {
        table: 'calls',
        endpoint: listEndpoint('calls', callRow, SEARCH_TEXT, 'Lists calls, most recent first.'),
      },
    },
    details: {},
  },
  photos: {
    tables: { photos: photoRow, albums: albumRow },
    lists: {
      photos: {
        table: 'photos',
        endpoint: listEndpoint(
          'photos',
          photoRow,
          { album: shortText.optional(), media_type: photoRow.shape.media_type.optional(), ...DAY_RANGE },
          'Lists photos and videos, newest first.',
        ),
      },
      albums: {
        table: 'albums',
        endpoint: listEndpoint('photos/albums', albumRow, {}, 'Lists albums of the photo library.'),
      },
    },
    details: {},
  },
  notes: {
    tables: { notes: noteRow },
    lists: {
      notes: {
        table: 'notes',
        endpoint: listEndpoint(
          'notes',
          noteRow,
          { ...SEARCH_TEXT, folder: shortText.optional() },
          'Lists notes, most recently changed first.',
        ),
      },
    },
    details: {},
  },
  calendar: {
    tables: { calendars: calendarRow, events: eventRow },
    lists: {},
    details: {
      calendars: endpoint({
        method: 'GET',
        path: '/backups/{backup_id}/artifacts/calendars',
        access: 'token',
        params: backupParams,
        query: z.object({ calendar: shortText.optional(), ...SEARCH_TEXT, ...DAY_RANGE, ...PAGING }),
        reply: pageOf(eventRow).extend({ calendars: z.array(calendarRow) }),
        errors: INDEX_ERRORS,
        summary:
          'Lists calendars and their events. With both `from` and `to`, a recurring event is listed once per ' +
          'occurrence.',
      }),
    },
  },
  safari: {
    tables: { visits: visitRow, bookmarks: bookmarkRow },
    lists: {
      history: {
        table: 'visits',
        endpoint: listEndpoint(
          'safari/history',
          visitRow,
          { ...SEARCH_TEXT, ...DAY_RANGE },
          'Lists pages visited in Safari, most recent first.',
        ),
      },
      bookmarks: {
        table: 'bookmarks',
        endpoint: listEndpoint(
          'safari/bookmarks',
          bookmarkRow,
          SEARCH_TEXT,
          'Lists bookmarks, the reading list and open tabs of Safari.',
        ),
      },
    },
    details: {},
  },
  reminders: {
    tables: { reminders: reminderRow },
    lists: {
      reminders: {
        table: 'reminders',
        endpoint: listEndpoint('reminders', reminderRow, {}, 'Lists reminders, open ones first, latest due first.'),
      },
    },
    details: {},
  },
  voicemail: {
    tables: { voicemails: voicemailRow },
    lists: {
      voicemail: {
        table: 'voicemails',
        endpoint: listEndpoint('voicemail', voicemailRow, {}, 'Lists voicemail messages, most recent first.'),
      },
    },
    details: {},
  },
  recordings: {
    tables: { recordings: recordingRow },
    lists: {
      recordings: {
        table: 'recordings',
        endpoint: listEndpoint('recordings', recordingRow, {}, 'Lists voice memos, most recent first.'),
      },
    },
    details: {},
  },
  health: {
    tables: { samples: sampleRow, characteristics, clinical_records: clinicalRecord },
    lists: {
      health: {
        table: 'samples',
        endpoint: listEndpoint(
          'health',
          sampleRow,
          { type: shortText.optional(), source: shortText.optional(), ...DAY_RANGE },
          'Lists health samples, most recent first.',
        ),
      },
      healthRecords: {
        table: 'clinical_records',
        endpoint: listEndpoint(
          'health/records',
          clinicalRecord,
          {},
          'Lists clinical records that practices and hospitals sent to the phone, as FHIR resources.',
        ),
      },
    },
    details: {
      healthTypes: endpoint({
        method: 'GET',
        path: '/backups/{backup_id}/artifacts/health/types',
        access: 'token',
        params: backupParams,
        reply: z.object({ types: z.array(healthType), characteristics }),
        errors: INDEX_ERRORS,
        summary: 'Returns the types of health samples with their sources, and the personal details in the Health app.',
      }),
    },
  },
  medications: {
    tables: { medications: medicationRow },
    lists: {
      medications: {
        table: 'medications',
        endpoint: listEndpoint(
          'medications',
          medicationRow,
          {},
          'Lists medications of the Health app, with logged doses.',
        ),
      },
    },
    details: {},
  },
  apps: {
    tables: { apps: appRow },
    lists: {
      apps: {
        table: 'apps',
        endpoint: listEndpoint(
          'apps',
          appRow,
          SEARCH_TEXT,
          'Lists installed apps, and how much data of each the backup contains.',
        ),
      },
    },
    details: {},
  },
  accounts: {
    tables: { accounts: accountRow },
    lists: {
      accounts: {
        table: 'accounts',
        endpoint: listEndpoint(
          'accounts',
          accountRow,
          {},
          'Lists accounts set up on the phone, without their passwords.',
        ),
      },
    },
    details: {},
  },
} as const satisfies Record<string, ArtifactEntry>;

interface ArtifactEntry {
  tables: Record<string, z.ZodObject>;
  lists: Record<string, { table: string; endpoint: Endpoint }>;
  details: Record<string, Endpoint>;
}

type Artifacts = typeof ARTIFACT_TABLE;
export type ArtifactName = keyof Artifacts;
/** The names of all artifacts, in the order in which they are indexed. */
export const ARTIFACTS = Object.keys(ARTIFACT_TABLE) as [ArtifactName, ...ArtifactName[]];

/** All members of the union as one object type. */
type Merged<T> = (T extends unknown ? (member: T) => void : never) extends (member: infer M) => void
  ? { [K in keyof M]: M[K] }
  : never;

/** The row schemas of all tables of the index. */
export type RowSchemas = Merged<Artifacts[ArtifactName]['tables']>;
export type TableName = keyof RowSchemas;
export type RowsByTable = { [T in TableName]: z.output<RowSchemas[T]> };

type Lists = Merged<Artifacts[ArtifactName]['lists']>;
export type ListName = keyof Lists;
export type Details = Merged<Artifacts[ArtifactName]['details']>;
export type DetailName = keyof Details;
export type ArtifactEndpoints = { [N in ListName]: Lists[N]['endpoint'] } & Details;

const mergeParts = <T>(parts: readonly object[]): T => Object.assign({}, ...parts) as T;
const ENTRIES = Object.entries(ARTIFACT_TABLE) as [ArtifactName, ArtifactEntry][];

export const ROW_SCHEMAS = mergeParts<RowSchemas>(ENTRIES.map(([, { tables }]) => tables));
/** The artifact to which each table belongs. */
export const ARTIFACT_OF_TABLE = Object.fromEntries(
  ENTRIES.flatMap(([artifact, { tables }]) => Object.keys(tables).map((table) => [table, artifact])),
) as { readonly [T in TableName]: ArtifactName };
/** The table that each list pages through. */
export const TABLE_OF_LIST = Object.fromEntries(
  ENTRIES.flatMap(([, { lists }]) => Object.entries(lists).map(([name, { table }]) => [name, table])),
) as { readonly [N in ListName]: Lists[N]['table'] };
/** The artifact that must be indexed for each endpoint. */
export const ARTIFACT_OF_ENDPOINT = Object.fromEntries(
  ENTRIES.flatMap(([artifact, { lists, details }]) =>
    [...Object.keys(lists), ...Object.keys(details)].map((name) => [name, artifact]),
  ),
) as { readonly [N in keyof ArtifactEndpoints]: ArtifactName };
/** The endpoints that read the index, by name. */
export const ARTIFACT_ENDPOINTS = mergeParts<ArtifactEndpoints>(
  ENTRIES.flatMap(([, { lists, details }]) => [
    Object.fromEntries(Object.entries(lists).map(([name, { endpoint: declared }]) => [name, declared])),
    details,
  ]),
);
