import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '../fixtures/ios-backup/artifacts/phone-files.ts';
import { phoneEntries } from '../fixtures/ios-backup/artifacts/phone.ts';
import { fileIdOf, type EntrySpec } from '../fixtures/ios-backup/generate.ts';
import { readArtifacts, type FoundArtifacts } from '../support/phone-artifacts.ts';

const root = mkdtempSync(join(tmpdir(), 'hearth-artifacts-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let backups = 0;
const readAll = (entries: EntrySpec[]): Promise<FoundArtifacts> => {
  backups += 1;
  return readArtifacts(entries, join(root, `phone-${backups}`), join(root, `sandbox-${backups}`));
};

const file = (domain: string, path: string): string => fileIdOf(domain, path);

describe.each([12, 15, 26] as const satisfies Release[])('a phone with iOS %i', (release) => {
  let rows: Required<FoundArtifacts['rows']>,
    skipped = 0,
    expected = 0;
  beforeAll(async () => {
    const all = await readAll(phoneEntries(root, release));
    ({ skipped, expected } = all);
    rows = all.rows as Required<FoundArtifacts['rows']>;
  });

  it('has contacts with labels, addresses and images', () => {
    expect(rows.contacts).toHaveLength(3);
    expect(rows.contacts[0]).toMatchObject({
      contact_identifier: 'PERSON-1',
      first_name: 'Peter',
      last_name: 'Frisch',
      company: 'Praxis am Markt',
      phones: ['079 123 45 67'],
      emails: ['frisch@example.org'],
      birthday: '2000-12-31',
      note: 'nur vormittags',
      avatar_file_id: file('HomeDomain', 'Library/AddressBook/AddressBookImages.sqlitedb'),
      labelled: [
        { kind: 'phone', label: 'mobile', value: '079 123 45 67' },
        { kind: 'email', label: 'work', value: 'frisch@example.org' },
        { kind: 'address', label: 'work', value: 'Marktgasse 3\n3011 Bern' },
      ],
    });
    expect(rows.contacts.flatMap(({ labelled }) => labelled)).toContainEqual({
      kind: 'url',
      label: 'Webseite',
      value: 'https://labor.example',
    });
  });

  it('has messages with text from typed streams, names, attachments, reactions and conversations', () => {
    const byGuid = new Map(rows.messages.map((message) => [Number(message.message_guid.slice(-12)), message]));
    expect([...byGuid.keys()]).toEqual([1, 2, 6, 7, 8, ...(release >= 26 ? [9, 10] : [])]);
    expect(byGuid.get(1)).toMatchObject({
      sender: '+41791234567',
      sender_name: 'Peter Frisch',
      is_from_me: false,
      sent_at: '2023-03-01T08:00:00',
      text: 'Guten Tag, hier der Befund',
      has_attachments: true,
      parent: 'iMessage;-;+41791234567',
    });
    expect(byGuid.get(1)?.attachments).toEqual([
      {
        file_id: file('MediaDomain', 'Library/SMS/Attachments/ab/11/Befund.pdf'),
        relative_path: 'Library/SMS/Attachments/ab/11/Befund.pdf',
        mime_type: 'application/pdf',
        size_bytes: 77,
        filename: 'Befund.pdf',
      },
      {
        file_id: null,
        relative_path: 'Library/SMS/Attachments/cd/22/gone.jpg',
        mime_type: 'image/jpeg',
        size_bytes: 77,
        filename: 'gone.jpg',
      },
    ]);
    expect(byGuid.get(2)).toMatchObject({
      sender: null,
      is_from_me: true,
      text: 'Danke! Kommt morgen \u{1F44D}',
      reply_to_guid: release >= 15 ? byGuid.get(1)?.message_guid : null,
    });
    expect(byGuid.get(2)?.reactions).toEqual([
      {
        kind: 'loved',
        emoji: null,
        sender: '+41791234567',
        sender_name: 'Peter Frisch',
        is_from_me: false,
        sent_at: '2023-03-01T08:08:00',
      },
    ]);
    expect(byGuid.get(6)).toMatchObject({ kind: 'event', text: 'Familie' });
    expect(byGuid.get(8)).toMatchObject({ parent: 'handle:oma@example.org', sender_name: 'Oma' });
    if (release >= 26) {
      expect(byGuid.get(9)).toMatchObject({
        text: 'Termin um 9',
        edits: [{ text: 'Termin um 8', edited_at: '2023-03-02T09:01:00' }],
        reactions: [{ kind: 'emoji', emoji: '\u{1F389}' }],
      });
      expect(byGuid.get(10)).toMatchObject({ text: null, is_unsent: true, kind: 'deleted' });
    }
    expect(
      rows.conversations.map(({ display_name, message_count, is_group }) => [display_name, message_count, is_group]),
    ).toEqual([
      ['Peter Frisch', release >= 26 ? 4 : 2, false],
      ['Familie', 2, true],
      ['Oma', 1, false],
    ]);
    expect(rows.conversations[1]).toMatchObject({
      participant_handles: ['+41791234567', 'oma@example.org'],
      last_message_at: '2023-03-01T09:01:00',
    });
  });

  it('has WhatsApp with groups and media', () => {
    expect(
      rows.chats.map(({ title, participant_count, is_group, is_archived, message_count }) => [
        title,
        participant_count,
        is_group,
        is_archived,
        message_count,
      ]),
    ).toEqual([
      ['Dr. Frisch', 1, false, false, 2],
      ['Wanderung', 2, true, true, 2],
    ]);
    expect(rows.chat_messages[0]).toMatchObject({
      message_guid: 'WA-1',
      sender: '+41791234567',
      sender_name: 'Peter Frisch',
      text: 'Röntgenbild der Hand',
      attachments: [
        {
          file_id: expect.stringMatching(/^[0-9a-f]{40}$/),
          mime_type: 'image/jpeg',
          size_bytes: 17,
          filename: 'roentgen.jpg',
        },
      ],
    });
    expect(rows.chat_messages[1]).toMatchObject({ is_from_me: true, reply_to_guid: 'WA-1' });
    expect(rows.chat_messages[2]).toMatchObject({ sender_name: 'Luca', parent: '4179-99@g.us' });
    expect(rows.chat_messages[3]).toMatchObject({ kind: 'deleted', is_unsent: true });
  });

  it('has calls of the phone and of apps', () => {
    expect(
      rows.calls.map(({ name, service, direction, is_answered, is_video, started_at, duration_seconds }) => [
        name,
        service,
        direction,
        is_answered,
        is_video,
        started_at,
        duration_seconds,
      ]),
    ).toEqual([
      ['Peter Frisch', 'phone', 'incoming', true, false, '2023-04-01T09:00:00', 62.25],
      ['Oma', 'facetime_video', 'outgoing', false, true, '2023-04-02T09:00:00', 0],
      [null, 'net.whatsapp.WhatsApp', 'incoming', false, false, '2023-04-03T09:00:00', 0],
    ]);
  });

  it('has photos with albums, pairs of Live Photos, edits and places', () => {
    expect(rows.photos[0]).toMatchObject({
      asset_id: 'PHOTO-1',
      original_filename: 'IMG_4711.HEIC',
      relative_path: 'Media/DCIM/100APPLE/IMG_0001.HEIC',
      file_id: file('CameraRollDomain', 'Media/DCIM/100APPLE/IMG_0001.HEIC'),
      taken_at: '2023-06-01T10:00:00',
      timezone_offset_minutes: 120,
      width: 4032,
      media_type: 'photo',
    });
    expect(rows.photos[0]?.metadata).toMatchObject({
      is_live: true,
      live_video_relative_path: 'Media/DCIM/100APPLE/IMG_0001.MOV',
      latitude: 46.9,
      longitude: 7.4,
      is_favourite: true,
      albums: ['Arztbriefe'],
      size_bytes: 123_456,
    });
    expect(rows.photos[1]?.metadata).toMatchObject({
      is_edited: true,
      edited_relative_path: 'Media/PhotoData/Mutations/DCIM/100APPLE/IMG_0002/Adjustments/FullSizeRender.jpg',
      latitude: null,
      albums: ['Arztbriefe'],
    });
    expect(rows.photos[2]).toMatchObject({
      file_id: null,
      metadata: { is_screenshot: true, is_trashed: true, trashed_at: '2023-07-01T00:00:00' },
    });
    expect(rows.photos[3]).toMatchObject({ media_type: 'video' });
    expect(rows.albums).toEqual([{ album_id: 'ALBUM-1', title: 'Arztbriefe', kind: 'album', photo_count: 2 }]);
  });

  it('has notes with tables, scans, images and drawings, and a locked note without its text', () => {
    expect(
      rows.notes.map(({ title, body, folder, is_locked, is_pinned, created_at }) => [
        title,
        body,
        folder,
        is_locked,
        is_pinned,
        created_at,
      ]),
    ).toEqual([
      [
        'Befunde',
        'Befunde\nTSH im März \uFFFC\uFFFC\uFFFC\uFFFC\uFFFC',
        'Gesundheit',
        false,
        true,
        '2023-02-01T12:00:00',
      ],
      ['Geheim', null, 'Gesundheit', true, false, '2023-02-03T12:00:00'],
      ['Beschädigt', 'der Anfang', 'Gesundheit', false, false, null],
    ]);
    expect(rows.notes[0]?.account).toBe('Auf meinem iPhone');
    expect(
      rows.notes[0]?.attachments.map(({ kind, relative_path, rows: table, url }) => [kind, relative_path, table, url]),
    ).toEqual([
      [
        'table',
        null,
        [
          ['Datum', 'TSH'],
          ['1. 3.', '2,4'],
        ],
        null,
      ],
      ['scan', 'Accounts/LocalAccount/FallbackPDFs/SCAN-1/1_G/FallbackPDF.pdf', null, null],
      ['image', 'Accounts/LocalAccount/Media/MEDIA-1/1_G/Rezept.jpg', null, null],
      ['drawing', 'Accounts/LocalAccount/FallbackImages/DRAWING-1/1_G/FallbackImage.png', null, null],
      ['link', null, null, 'https://labor.example'],
    ]);
    expect(rows.notes[1]?.attachments).toEqual([]);
  });

  it('has a calendar with rules, exceptions and changed occurrences', () => {
    expect(rows.calendars).toEqual([
      { calendar_identifier: 'CAL-1', title: 'Familie', color: '#FF2D55', account: 'iCloud', event_count: 3 },
    ]);
    expect(rows.events[0]).toMatchObject({
      event_identifier: 'EVENT-1',
      title: 'Physiotherapie',
      location: 'Praxis am Markt',
      notes: 'Rücken',
      starts_at: '2023-03-06T08:00:00',
      ends_at: '2023-03-06T09:00:00',
      timezone: 'Europe/Zurich',
      recurrence: 'FREQ=WEEKLY;COUNT=6;BYDAY=MO;WKST=MO',
      excluded_dates: ['2023-03-20T08:00:00'],
      attendees: [{ name: 'Peter Frisch', address: 'frisch@example.org', status: 'accepted' }],
      alarms: [{ seconds: -900, at: null }],
    });
    expect(rows.events[1]).toMatchObject({
      alarms: [{ seconds: 32_400, at: null }],
      is_all_day: true,
      timezone: null,
      recurrence: 'FREQ=YEARLY',
    });
    expect(rows.events[2]).toMatchObject({ series_identifier: 'EVENT-1', recurrence: null });
    expect(rows.events).toHaveLength(3);
  });

  it('has Safari, voice messages, voice memos, apps and accounts', () => {
    expect(rows.visits).toEqual([
      { url: 'https://praxis.example/termine', title: 'Termine', visited_at: '2023-01-01T10:00:00', visit_count: 2 },
      { url: 'https://praxis.example/termine', title: null, visited_at: '2023-01-02T10:00:00', visit_count: 2 },
    ]);
    expect(rows.bookmarks.map(({ title, kind, folder }) => [title, kind, folder])).toEqual([
      ['Praxis', 'bookmark', 'Ärzte'],
      ['Später', 'reading_list', 'com.apple.ReadingList'],
    ]);
    expect(rows.voicemails).toEqual([
      expect.objectContaining({
        voicemail_identifier: '7',
        sender_name: 'Peter Frisch',
        received_at: '2023-11-14T22:13:20',
        duration_seconds: 12,
        relative_path: 'Library/Voicemail/7.amr',
        file_id: file('HomeDomain', 'Library/Voicemail/7.amr'),
      }),
    ]);
    expect(rows.recordings).toEqual([
      expect.objectContaining({
        title: 'Gespräch in der Praxis',
        folder: 'Arzt',
        duration_seconds: 63.5,
        relative_path: 'Recordings/20230501 100000.m4a',
      }),
    ]);
    expect(rows.apps.find(({ bundle_identifier }) => bundle_identifier === 'net.whatsapp.WhatsApp')).toMatchObject({
      has_data: true,
      file_count: 1,
    });
    expect(rows.accounts).toEqual([
      {
        account_identifier: 'ACC-1',
        type: 'IMAP',
        username: 'elena@example.org',
        description: 'Mail',
        owner: 'com.apple.mail',
        created_at: '2022-01-01T00:00:00',
      },
    ]);
  });

  it('has health samples with units and sources, and the characteristics of the owner', () => {
    const told = rows.samples.map(({ type, kind, value, unit, entered_value, entered_unit, meaning, source }) => [
      type,
      kind,
      value,
      unit,
      entered_value,
      entered_unit,
      meaning,
      source,
    ]);
    const watch = 'Apple Watch von Elena';
    expect(told).toEqual([
      ['heart_rate', 'quantity', 72, 'count/min', 72, 'count/min', null, watch],
      ['body_mass', 'quantity', 70, 'kg', 154.32, 'lb', null, 'Withings'],
      ['blood_pressure_systolic', 'quantity', 121, 'mmHg', null, null, null, watch],
      ['blood_pressure_diastolic', 'quantity', 78, 'mmHg', null, null, null, watch],
      ['oxygen_saturation', 'quantity', 97, '%', null, null, null, watch],
      ['blood_glucose', 'quantity', 99, 'mg/dL', 5.5, 'mmol/L', null, watch],
      ['sleep_analysis', 'category', 4, null, null, null, 'asleep_deep', watch],
      ['workout', 'workout', 45, 'min', null, null, 'walking', watch],
      ['electrocardiogram', 'ecg', 64, 'count/min', null, null, 'sinus_rhythm', watch],
      ['resting_heart_rate', 'quantity', 61, 'count/min', null, null, null, watch],
      ['type_9999', 'quantity', 3, null, null, null, null, watch],
      ['headache', 'category', 2, null, null, null, 'mild', watch],
      ['blood_pressure', 'correlation', null, null, null, null, null, watch],
      ['body_mass', 'quantity', 71, 'kg', null, null, null, 'Withings'],
    ]);
    // A night that ends on the next day, and what was measured after midnight in Zurich.
    if (release >= 15)
      expect([rows.samples[6], rows.samples[9]]).toMatchObject([
        { timezone: 'Europe/Zurich', day: '2023-01-02' },
        { started_at: '2023-01-04T23:00:00', day: '2023-01-05' },
      ]);
    expect(rows.samples[1]).toMatchObject({
      is_user_entered: true,
      source_bundle: 'com.withings.wiScaleNG',
      device: null,
    });
    expect(rows.characteristics).toEqual([
      { date_of_birth: '1979-05-09', sex: 'female', blood_type: 'O+', skin_type: null, wheelchair: null },
    ]);
    expect(
      rows.clinical_records.map(({ resource_type, title, fhir }) => [resource_type, title, fhir === null]),
    ).toEqual([
      ['Observation', 'TSH', false],
      ['MedicationRequest', 'Metformin 500 mg', false],
      ['Condition', null, true],
    ]);
    expect(
      rows.medications.map(({ name, strength, doses }) => [name, strength, doses.map(({ status }) => status)]),
    ).toEqual([...(release >= 26 ? [['Eltroxin 50', null, ['taken']]] : []), ['Metformin 500 mg', '1-0-1', []]]);
  });

  it('skips only damaged rows, and expected the right number of rows', () => {
    expect(skipped).toBe(2);
    expect(expected).toBeGreaterThan(50);
  });
});

describe('a phone without most artifacts', () => {
  it('has no rows and no errors', async () => {
    const { rows, skipped } = await readAll([
      { domain: 'HomeDomain', path: 'Library/SMS/sms.db', missing: true, content: 'x' },
    ]);
    expect([Object.keys(rows), skipped]).toEqual([['apps'], 0]);
  });
});
