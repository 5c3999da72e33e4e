import type { App, BrowserWindow, Session } from 'electron';
import { WINDOW_KEY_HEADER } from '../../platform/http/window-key.ts';

/** Whether an address is one of the web, by its scheme. */
export const isWeb = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

/** Denies new windows, webviews and navigation to other sites; links to other origins go to `openLink`. */
export function confineWindow(
  { webContents }: Pick<BrowserWindow, 'webContents'>,
  origin: string,
  openLink: (url: string) => void,
): void {
  webContents.setWindowOpenHandler(({ url }) => {
    if (isWeb(url) && new URL(url).origin !== origin) openLink(url);
    return { action: 'deny' };
  });
  webContents.on('will-navigate', (event, url) => {
    // Only Hearth's own server can have sent the window to a sign-in provider; from there it may navigate and return.
    const current = webContents.getURL();
    const isAway = isWeb(current) && new URL(current).origin !== origin;
    if (!isWeb(url) || (new URL(url).origin !== origin && !isAway)) event.preventDefault();
  });
  webContents.on('will-frame-navigate', (event) => {
    // Our page embeds nothing.
    if (!event.isMainFrame && isOwnPage(webContents.getURL(), origin)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Refuses certificates that the system does not trust, also where another version of Electron would ask. */
export function refuseBadCertificates(app: Pick<App, 'on'>): void {
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault();
    answer(false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, answer) => {
    event.preventDefault();
    answer();
  });
}

type KeySession = Pick<Session, 'webRequest' | 'setSpellCheckerEnabled'>;

/** Sends the key of the window with each request to the core, and to nobody else; turns the spell checker off. */
export function prepareSession(session: KeySession, origin: string, key: string | null): void {
  session.setSpellCheckerEnabled(false);
  if (key === null) return;
  session.webRequest.onBeforeSendHeaders({ urls: [`${origin}/*`] }, ({ url, requestHeaders }, answer) => {
    const isOurs = URL.canParse(url) && new URL(url).origin === origin;
    answer({ requestHeaders: isOurs ? { ...requestHeaders, [WINDOW_KEY_HEADER]: key } : requestHeaders });
  });
}

const isOwnPage = (address: string, origin: string): boolean =>
  URL.canParse(address) && new URL(address).origin === origin;
