import type { MessageRow } from '../../../src-shared/contract/phone-backups/artifacts.ts';

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
