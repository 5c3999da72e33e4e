import { z } from 'zod';
import { EVENT_TYPES } from './event-types.ts';
import { linkType } from './rows.ts';
import { EDITABLE_BY_MODEL } from './model-fields.ts';

/** What language models answer when they propose something. Confidence is from 0 to 1. */

/** Changes of details. */
export const editAnswer = z.object({
  changes: z.array(z.object({ field: z.enum(EDITABLE_BY_MODEL), value: z.string().max(20_000).nullable() })).max(20),
  missing: z.string().max(1000).nullable(),
});

/** A name of a file: the subject in a few words. */
export const nameAnswer = z.object({
  subject: z.string().min(1).max(200),
  reason: z.string().max(1000),
  confidence: z.number().min(0).max(1),
});

/** Names of a list that mean the same, by their numbers. */
export const mergeAnswer = z.object({
  merges: z
    .array(
      z.object({
        target: z.int(),
        sources: z.array(z.int()).min(1).max(10),
        reason: z.string().min(1).max(1000),
        confidence: z.number().min(0).max(1),
      }),
    )
    .max(40),
});

/** Links to candidates, by their numbers. */
export const linkAnswer = z.object({
  links: z
    .array(
      z.object({
        number: z.int(),
        link_type: linkType,
        reason: z.string().min(1).max(1000),
        confidence: z.number().min(0).max(1),
      }),
    )
    .max(20),
});

/** One of the events, by its number, or a new one. */
export const eventAnswer = z.object({
  event_number: z.int().nullable(),
  new_event: z
    .object({
      title: z.string().min(1).max(1000),
      event_type: z.enum(EVENT_TYPES),
      description: z.string().max(5000).nullable(),
    })
    .nullable(),
  reason: z.string().max(1000).nullable(),
  confidence: z.number().min(0).max(1).nullable(),
});
