import type { MessageRow } from '../../../src-shared/contract/phone-artifacts.ts';
import type { PhoneWords } from './words.ts';

/** What happened in a conversation, in words: who, what, to whom. */
export const eventText = (
  who: string,
  { event, text }: Pick<MessageRow, 'event' | 'text'>,
  t: PhoneWords['t'],
): string =>
  [who, t(`happened.${event?.kind ?? 'other'}`), event?.name ?? event?.handle, text].filter(Boolean).join(' · ');
