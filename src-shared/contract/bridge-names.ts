/**
 * Names by which page, preload and main find each other; without zod, since preload carries all that it imports.
 * `bridge.ts` is the table.
 */

/** Under this name preload puts the bridge into the page. */
export const BRIDGE_NAME = 'hearth';
/** The channels of Electron's messages between preload and main. */
export const BRIDGE_CHANNELS = { call: 'hearth:call', files: 'hearth:files', signal: 'hearth:signal' } as const;
/**
 * `kind` of the message by which the page gives preload the port for a folder's files: ports do not pass through the
 * bridge itself.
 */
export const FILES_MESSAGE = 'hearth:files';
/** Begins the argument of the window's process that names the only origin which gets the bridge. */
export const ORIGIN_ARGUMENT = '--hearth-origin=';
