import { z } from 'zod';

/** What the queue of reading does with a document. */
export const JOB_KINDS = ['upload', 'reprocess', 'translate', 'translate_region'] as const;
export type JobKind = (typeof JOB_KINDS)[number];
export const jobKind = z.enum(JOB_KINDS);
