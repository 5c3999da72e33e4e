import type { CommandName, PageName } from './commands.ts';

/**
 * The English texts of the desktop shell, and the only place for them: it has them until the page sends those of its
 * language, and `locales/en.ts` takes them from here.
 */
export const MENU_TEXTS = {
  file: 'File',
  vault: 'Show Vault Folder',
  home: 'Go to Today',
  edit: 'Edit',
  view: 'View',
  go: 'Go',
  window: 'Window',
  help: 'Help',
  logs: 'Show Log Folder',
  safe_mode: 'Restart in Safe Mode',
  normal_mode: 'Restart in Normal Mode',
  open: 'Open Hearth',
  quit: 'Quit Hearth',
  state_signed_out: 'Sign in to see what is read',
  state_idle: 'Nothing is waiting',
  state_reading: 'Reading, {{count}} waiting',
  state_stopped: 'Reading is paused, {{count}} waiting',
  note_finished: 'Documents read: {{count}}',
  note_review: 'Documents to review: {{count}}',
  note_opened: 'A share was opened',
  external: 'Open this page in the browser?',
  external_yes: 'Open in the browser',
  cancel: 'Cancel',
  hangs: 'The window does not respond.',
  hangs_wait: 'Wait',
  hangs_reload: 'Reload',
  crashed: 'The window ended several times in a row. Your records are safe.',
  add_title: 'Add documents',
  add_files: 'Documents and pictures',
  update_ready: 'A new version is ready. It is installed when you quit Hearth.',
  update_available: 'Version {{version}} is available.',
} as const;

export type ShellText = keyof typeof MENU_TEXTS;
export type ShellTexts = Readonly<Record<ShellText, string>>;

/** Everything that the page says in the words of its language; pages and commands have none before. */
export interface MenuLabels {
  shell: ShellTexts;
  pages: Readonly<Record<PageName, string>>;
  commands: Readonly<Record<CommandName, string>>;
}
