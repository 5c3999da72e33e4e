/**
 * Names that page, preload and main share. This file doesn't use zod, because preload bundles everything it imports.
 * `bridge.ts` declares the calls.
 */

/** The global under which preload exposes the bridge to the page. */
export const BRIDGE_NAME = 'hearth';
/** The functions of the bridge; the page can name no other one. */
export const CALL_NAMES = [
  'phoneFolders',
  'choosePhoneFolder',
  'revealPhoneFolder',
  'setMenuLabels',
  'offeredFiles',
  'readOfferedFile',
  'dropOfferedFile',
  'revealDocument',
  'choosePort',
  'desktopState',
  'changeDesktop',
  'forgetDevices',
] as const;
/** The channels of Electron's messages between preload and main. */
export const BRIDGE_CHANNELS = { call: 'hearth:call', files: 'hearth:files', signal: 'hearth:signal' } as const;
/**
 * `kind` of the message with which the page passes the port of a folder's files to preload: ports can't pass through
 * the bridge.
 */
export const FILES_MESSAGE = 'hearth:files';
/** Prefix of the window's process argument that names the only origin with a bridge. */
export const ORIGIN_ARGUMENT = '--hearth-origin=';
