import { accounts } from './accounts.ts';
import { children } from './children.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { links } from './links.ts';
import { patients } from './patients.ts';
import { pipeline } from './pipeline.ts';
import { timeline } from './timeline.ts';
import { today, trash } from './today.ts';

/** Every endpoint of the API, by area. Router, client, reference and tests walk this table. */
export const contract = { accounts, patients, documents, links, events, children, timeline, pipeline, today, trash } as const;
export type Contract = typeof contract;
