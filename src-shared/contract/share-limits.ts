/** The path of recipients: their cookies are sent nowhere else. */
export const SHARE_PATH = '/api/share';
/** Most characters of the text of a page that leave; a dense page of A4 has 8,000. */
export const MAX_PAGE_TEXT = 50_000;
/** Seconds between two questions of a waiter whether the seat is free. */
export const CLAIM_SECONDS = 5;
/** Maximum number of documents of a share. */
export const MAX_SHARED_DOCUMENTS = 200;
/** Days for which a share is open. */
export const SHARE_DAYS = { min: 1, max: 90, usual: 7 } as const;
/** Minutes for which a code is valid. */
export const CODE_MINUTES = 10;
/** Minutes for which the service runs without an open share after it was turned on, so that it can be tried. */
export const TRIAL_MINUTES = 10;
/** Minutes without use after which others may take the seat of a session. */
export const IDLE_MINUTES = 10;
/** Wrong passcodes that a link allows in its life-time. */
export const MAX_PASSCODE_TRIES = 10;
/** Links of one share that can be opened or are being made. */
export const MAX_LIVE_LINKS = 10;
/** Where readers ask for the manifest of a link. It is short, because the whole address has at most 128 characters. */
export const HEALTH_LINK_PATH = '/api/share/shl';
/** Seconds for which a location of a file can be fetched (HL7 STU 1: at most an hour). */
export const LOCATION_SECONDS = 3600;
