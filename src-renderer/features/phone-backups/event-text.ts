import type { MessageRow } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { PhoneLabels } from './labels.ts';

/** What happened in a conversation, in words: who, what, to whom. */
export const eventText = (
  who: string,
  { event, text }: Pick<MessageRow, 'event' | 'text'>,
  t: PhoneLabels['t'],
): string =>
  [who, t(`happened.${event?.kind ?? 'other'}`), event?.name ?? event?.handle, text].filter(Boolean).join(' · ');
