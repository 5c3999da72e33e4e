import type { PartyRole } from '../languages/party-labels.ts';

/** Position of a doctor's name without a label that says what the doctor did. */
export type Position = 'letterhead' | 'signature' | 'block' | 'prose' | 'salutation';
export const DUTIES = [
  'ordering',
  'author',
  'surgeon',
  'treating',
  'recipient',
  'copy',
  'referred_to',
  'assistant',
] as const satisfies readonly PartyRole[];
export type Duty = (typeof DUTIES)[number];

/**
 * How strongly each duty or position suggests "the doctor of this document": for laboratories the doctor who ordered,
 * for letters the one who signs.
 */
export const WEIGHTS: Record<'lab' | 'surgery' | 'letter', Record<Duty | Position, number>> = {
  lab: {
    ordering: 10,
    author: 5,
    treating: 6,
    surgeon: 4,
    recipient: 6.5,
    signature: 3,
    letterhead: 2.5,
    block: 5,
    prose: 1,
    salutation: 2,
    copy: 0.5,
    referred_to: 0.5,
    assistant: 0.2,
  },
  surgery: {
    surgeon: 10,
    author: 6.5,
    signature: 6,
    letterhead: 5,
    treating: 4,
    block: 5,
    ordering: 1.5,
    prose: 1,
    recipient: 0.3,
    salutation: 0.2,
    copy: 0.2,
    referred_to: 0.3,
    assistant: 0.5,
  },
  letter: {
    author: 9.5,
    signature: 9,
    letterhead: 7,
    treating: 6,
    surgeon: 6,
    block: 6,
    ordering: 2,
    prose: 1,
    recipient: 0.3,
    salutation: 0.2,
    copy: 0.2,
    referred_to: 0.3,
    assistant: 0.5,
  },
};
