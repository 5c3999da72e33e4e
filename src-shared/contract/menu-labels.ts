import { z } from 'zod';

/**
 * The English texts of the desktop menu, and the only place for them: the menu has them until the page sends those of
 * its language, and `locales/en.ts` takes them from here.
 */
export const MENU_TEXTS = {
  file: 'File',
  vault: 'Show Vault Folder',
  home: 'Go to Today',
  edit: 'Edit',
  view: 'View',
  window: 'Window',
} as const;

export type MenuLabels = Readonly<Record<keyof typeof MENU_TEXTS, string>>;

const label = z.string().min(1).max(60);
export const menuLabels = z.strictObject({
  file: label,
  vault: label,
  home: label,
  edit: label,
  view: label,
  window: label,
});
