import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { icsOfFollowUps } from './follow-ups-ics.ts';

const ECG = {
  encounter_id: 7,
  patient_name: 'Elena Keller',
  follow_up_date: '2027-03-02',
  follow_up_instructions: 'EKG; Langzeit-Blutdruck, nüchtern\nRöntgen',
};

test('follow-ups are all-day events that a calendar reads', () => {
  const text = icsOfFollowUps([ECG, { ...ECG, encounter_id: 8, follow_up_instructions: null }], 'Follow-up', 0);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  expect(events.map(({ uid, summary, startDate }) => [uid, summary, startDate.toString(), startDate.isDate])).toEqual([
    ['follow-up-7@hearth', `Elena Keller: ${ECG.follow_up_instructions}`, '2027-03-02', true],
    ['follow-up-8@hearth', 'Elena Keller: Follow-up', '2027-03-02', true],
  ]);
  expect(text).toContain('DTSTAMP:19700101T000000Z\r\n');
  expect(text).toContain('DTSTART;VALUE=DATE:20270302\r\n');
});
