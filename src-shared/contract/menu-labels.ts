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
