/**
 * Pages and commands, once for all who offer them: rail, palette, shortcuts, list of shortcuts, and the menu of the
 * desktop window. This file doesn't use zod, because the first page loads it.
 */

/**
 * The main pages in the order of the rail. `name` is a key below `nav` in the catalog; `key` is the shortcut after `g`;
 * `accelerator` is that of the menu, as Electron writes it; a divider separates groups.
 */
export const PAGES = [
  { to: '/', name: 'today', key: 't', group: 'record', accelerator: 'CmdOrCtrl+1' },
  { to: '/documents', name: 'documents', key: 'd', group: 'record', accelerator: 'CmdOrCtrl+2' },
  { to: '/timeline', name: 'timeline', key: 'e', group: 'record', accelerator: 'CmdOrCtrl+3' },
  { to: '/labs', name: 'labs', key: 'l', group: 'record', accelerator: 'CmdOrCtrl+4' },
  { to: '/imaging', name: 'imaging', key: 'i', group: 'record', accelerator: 'CmdOrCtrl+5' },
  { to: '/ask', name: 'ask', key: 'k', group: 'record', accelerator: 'CmdOrCtrl+6' },
  { to: '/shares', name: 'shares', key: 'h', group: 'record', accelerator: 'CmdOrCtrl+7' },
  { to: '/names', name: 'names', key: 'n', group: 'house', accelerator: 'CmdOrCtrl+8' },
  { to: '/vault', name: 'vault', key: 'f', group: 'house', accelerator: 'CmdOrCtrl+9' },
  { to: '/phones', name: 'phones', key: 'p', group: 'devices', accelerator: 'CmdOrCtrl+Shift+P' },
  { to: '/tickers', name: 'tickers', key: 'c', group: 'devices', accelerator: 'CmdOrCtrl+Shift+T' },
  { to: '/settings', name: 'settings', key: 's', group: 'settings', accelerator: 'CmdOrCtrl+,' },
] as const;
export type PageName = (typeof PAGES)[number]['name'];

/** Commands of the frame. `name` is a key below `command` in the catalog; `key` is the shortcut in the page. */
export const COMMANDS = [
  { name: 'upload', key: 'u', accelerator: 'CmdOrCtrl+O' },
  { name: 'palette', key: 'mod k', accelerator: 'CmdOrCtrl+K' },
  { name: 'theme', key: null, accelerator: null },
  { name: 'keys', key: '?', accelerator: 'F1' },
  { name: 'lock', key: null, accelerator: 'CmdOrCtrl+Shift+L' },
  { name: 'signout', key: null, accelerator: null },
] as const;
export type CommandName = (typeof COMMANDS)[number]['name'];

/** The addresses within Hearth that a `hearth://` link may open: a page, the review, or a document. */
export const LINKED_PATH = /^\/(?:|review|documents\/[1-9]\d{0,14}|imaging\/[1-9]\d{0,14})$/;
