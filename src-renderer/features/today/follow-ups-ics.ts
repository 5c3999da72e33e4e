import ICAL from 'ical.js';

export interface CalendarEntry {
  encounter_id: number;
  patient_name: string | null;
  follow_up_date: string;
  follow_up_instructions: string | null;
}

/**
 * Follow-ups as all-day events (RFC 5545, 3.6.1). Their identifiers stay the same, so that a second import replaces
 * them.
 * @param untitled the summary of a follow-up without instructions
 * @param madeAt milliseconds since the epoch
 */
export function icsOfFollowUps(entries: readonly CalendarEntry[], untitled: string, madeAt: number): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.updatePropertyWithValue('version', '2.0');
  calendar.updatePropertyWithValue('prodid', '-//Hearth//Follow-ups//EN');
  for (const entry of entries) {
    const event = new ICAL.Component('vevent');
    const title = entry.follow_up_instructions ?? untitled;
    event.updatePropertyWithValue('uid', `follow-up-${entry.encounter_id}@hearth`);
    event.updatePropertyWithValue('dtstamp', ICAL.Time.fromJSDate(new Date(madeAt), true));
    event.updatePropertyWithValue('dtstart', ICAL.Time.fromDateString(entry.follow_up_date));
    event.updatePropertyWithValue('summary', entry.patient_name ? `${entry.patient_name}: ${title}` : title);
    calendar.addSubcomponent(event);
  }
  return `${calendar.toString()}\r\n`;
}
