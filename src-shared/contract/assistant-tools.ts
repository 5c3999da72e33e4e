import { z } from 'zod';
import { DOCUMENT_TYPES } from '../medical/document-type.ts';
import { PICKS, SHAPES, type ToolCall } from './chat-tools.ts';

/** A function over the record of one person, as assistants see it. */
interface RecordTool {
  title: string;
  description: string;
  input: z.ZodObject;
}

const person = z
  .string()
  .max(200)
  .optional()
  .describe('Name or id of the person, as `people` lists them. Not needed if there is only one.');
const name = z.string().trim().min(1).max(80);
const namesOf = (things: string) =>
  z
    .array(name)
    .max(6)
    .default([])
    .describe(`Limits the answer to these ${things}, in any language; all of them without.`);
const day = (meaning: string) => z.iso.date().nullable().default(null).describe(`${meaning}, as YYYY-MM-DD.`);
const period = { from: day('First day'), to: day('Last day') };
const pick = z
  .enum(PICKS)
  .exclude(['count'])
  .default('series')
  .describe('Which results of each test: all of them (series), one of them, or those out of range (outside).');
const shape = z
  .enum(SHAPES)
  .exclude(['count'])
  .default('list')
  .describe('All of them (list), or only the last or first one.');

/** Arguments that are not declared are refused, so that a wrong one is never ignored. */
const tool = (title: string, description: string, shapeOf: z.ZodRawShape): RecordTool => ({
  title,
  description,
  input: z.strictObject({ person, ...shapeOf }),
});

/** The functions by name; each is the one that answers the same question in Hearth itself. */
export const RECORD_TOOLS = {
  results: tool(
    'Laboratory results',
    'Values of laboratory tests, as printed, with their normal range. `may_be_misread` means that a person should ' +
      'compare the value with the page before anybody relies on it.',
    { names: namesOf('tests'), ...period, pick },
  ),
  medicines_now: tool(
    'Medicines of a day',
    'What the person takes on a day or in a period, today without one: the last paper that names each medicine. ' +
      '`was_named_lately` is false if no paper has named it for two years.',
    { names: namesOf('medicines'), ...period },
  ),
  medicines: tool('Papers about medicines', 'Every paper that names a medicine, oldest first.', {
    ...{ names: namesOf('medicines'), ...period, shape },
  }),
  diagnoses: tool('Diagnoses', 'Diagnoses with the first and the last paper that has each.', {
    ...{ names: namesOf('diagnoses'), ...period, shape },
  }),
  vaccinations: tool('Vaccinations', 'Vaccinations, oldest first.', {
    ...{ names: namesOf('diseases or vaccines'), ...period, shape },
  }),
  stays: tool('Stays in hospital', 'Stays in a hospital, oldest first.', { ...period, shape }),
  events: tool('Events', 'Events of the timeline, such as an illness or a treatment with its papers.', period),
  appointments: tool('Appointments', 'Appointments that papers name and nobody has marked as done.', {
    names: namesOf('doctors, places or specialties'),
  }),
  costs: tool('Costs', 'Lines of invoices with their sum.', { names: namesOf('services or places'), ...period }),
  documents: tool('Documents', 'Documents, newest first.', {
    ...{ names: namesOf('subjects, doctors or places'), ...period, shape },
    document_type: z.enum(DOCUMENT_TYPES).nullable().default(null).describe('Only documents of this type.'),
  }),
  changes: tool('Changes', 'What is new since a day: results, medicines, diagnoses, vaccinations and documents.', {
    from: z.iso.date().describe('The first day, as YYYY-MM-DD.'),
    to: day('Last day, today without one'),
  }),
  passages: tool('Passages', 'The passages of papers that contain words best, as printed.', {
    names: z.array(name).min(1).max(6).describe('The words to search, in any language.'),
  }),
} as const satisfies Record<ToolCall['tool'], RecordTool>;

export type RecordToolName = keyof typeof RECORD_TOOLS;
export const RECORD_TOOL_NAMES = Object.keys(RECORD_TOOLS) as RecordToolName[];

/** Whose records may be read. */
export const recordPeople = z.object({
  today: z.iso.date(),
  people: z.array(z.object({ id: z.int(), name: z.string() })),
});

/** What a function found. */
export const recordRows = z.object({
  person: z.string(),
  today: z.iso.date(),
  rows: z.array(z.record(z.string(), z.unknown())),
  /** Of all rows, also those that are left out. */
  total: z.int(),
  left_out: z.int(),
  /** For costs: the sums of all rows. */
  totals: z.array(z.object({ currency: z.string(), amount: z.number() })).optional(),
  /** For passages: the words that were searched. */
  searched: z.array(z.string()).optional(),
});

/** The call of a function from the arguments of an assistant, which its schema has accepted. */
export function toCall(tool: RecordToolName, { person: asked, ...given }: Record<string, unknown>) {
  const none = { names: [], from: null, to: null, pick: null, shape: null, document_type: null };
  return { person: asked as string | undefined, call: { tool, ...none, ...given } as ToolCall };
}
