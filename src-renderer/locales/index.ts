import type { Messages } from './en.ts';

const files = import.meta.glob<Messages>(['./*.ts', '!./index.ts'], { eager: true, import: 'messages' });

/** The messages of every language by its code: each other file of this folder is a language and has its code as name. */
export const MESSAGES: Readonly<Record<string, Messages>> = Object.fromEntries(
  Object.entries(files).map(([path, messages]) => [path.slice('./'.length, -'.ts'.length), messages]),
);
