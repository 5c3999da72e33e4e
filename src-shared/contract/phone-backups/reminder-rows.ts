import { z } from 'zod';
import { timestamp } from '../wire.ts';

const when = timestamp.nullable();
const text = z.string().nullable();

export const reminderRow = z.object({
  reminder_identifier: z.string(),
  title: text,
  notes: text,
  /** The name of its list. */
  list: text,
  due_at: when,
  /** Due on a day rather than at a time. */
  is_all_day: z.boolean(),
  is_completed: z.boolean(),
  completed_at: when,
  is_flagged: z.boolean(),
  /** 0 for none; 1 is the highest, 9 the lowest (RFC 5545 3.8.1.9). */
  priority: z.int(),
  created_at: when,
});
export type ReminderRow = z.output<typeof reminderRow>;
