import { z } from 'zod';
import { DOCUMENT_TYPES } from '../medical/document-type.ts';

/** Which results of a test are wanted. */
export const PICKS = ['last', 'first', 'highest', 'lowest', 'series', 'outside', 'count'] as const;
export type Pick = (typeof PICKS)[number];
/** What is wanted of a list. */
export const SHAPES = ['list', 'last', 'first', 'count'] as const;
export type Shape = (typeof SHAPES)[number];

const date = z.iso.date().nullable();
/**
 * A function over the record of one patient, as a model chooses it. `names` limits it to tests, medicines, diagnoses,
 * diseases or words of the subject; all if it is empty.
 */
const toolCall = z.object({
  tool: z.enum([
    'results',
    'medicines_now',
    'medicines',
    'diagnoses',
    'vaccinations',
    'stays',
    'events',
    'appointments',
    'costs',
    'documents',
    'changes',
    'passages',
  ]),
  names: z.array(z.string().max(80)).max(6),
  from: date,
  to: date,
  pick: z.enum(PICKS).nullable(),
  shape: z.enum(SHAPES).nullable(),
  document_type: z.enum(DOCUMENT_TYPES).nullable(),
});
export type ToolCall = z.output<typeof toolCall>;
/** The form of a model's choice. */
export const toolCalls = z.object({ calls: z.array(toolCall).min(1).max(4) });
