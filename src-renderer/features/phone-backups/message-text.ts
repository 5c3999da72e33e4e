import type { MessageRow } from '../../../src-shared/contract/phone-backups/artifacts.ts';
import type { PhoneLabels } from './labels.ts';

/** iOS backup domains of the attachments, by kind of conversation. */
export const ATTACHMENT_DOMAINS = {
  messages: 'MediaDomain',
  whatsapp: 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared',
} as const;
export type ConversationKind = keyof typeof ATTACHMENT_DOMAINS;

/** Describes an event of a conversation: who did what, to whom. */
export const eventText = (
  who: string,
  { event, text }: Pick<MessageRow, 'event' | 'text'>,
  t: PhoneLabels['t'],
): string =>
  [who, t(`happened.${event?.kind ?? 'other'}`), event?.name ?? event?.handle, text].filter(Boolean).join(' · ');

type Reaction = MessageRow['reactions'][number];
const SIGNS: Record<Reaction['kind'], string> = {
  loved: '♥',
  liked: '👍',
  disliked: '👎',
  laughed: 'Haha',
  emphasized: '!!',
  questioned: '?',
  emoji: '',
  sticker: '▣',
};

/** A reaction as the phone shows it. */
export const reactionSign = ({ emoji, kind }: Reaction): string => emoji ?? SIGNS[kind];
