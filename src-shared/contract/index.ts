import { accounts } from './accounts.ts';
import { documents } from './documents.ts';
import { patients } from './patients.ts';
import { pipeline } from './pipeline.ts';
import { today, trash } from './today.ts';

/** Every endpoint of the API, by area. Router, client, reference and tests walk this table. */
export const contract = { accounts, patients, documents, pipeline, today, trash } as const;
export type Contract = typeof contract;
