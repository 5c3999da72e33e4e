import type { TickerErrorCode } from '../../src-shared/ticker/flash/ticker-error.ts';

/** What each failure of the ticker bench needs, and the words by which its text says what to do. */
export interface TickerErrorRow {
  params: Readonly<Record<string, string | number>>;
  en: string;
  de: string;
}

const row = (en: string, de: string, params: TickerErrorRow['params'] = {}): TickerErrorRow => ({ params, en, de });

const NAME = { name: 'ticker.bin' };
const AT = { address: '0x10000' };

export const TICKER_ERROR_ROWS: Readonly<Record<TickerErrorCode, TickerErrorRow>> = {
  'ticker.no_driver': row('in Chrome or Edge instead', 'in Chrome oder Edge'),
  'ticker.port_not_found': row('Plug the board in again', 'Stecken Sie das Board neu ein', { port: '/dev/ttyUSB7' }),
  'ticker.port_busy': row('Close other programs', 'Schließen Sie Programme'),
  'ticker.port_denied': row('add the rule shown below', 'die unten gezeigte Regel'),
  'ticker.no_answer': row('hold BOOT, press RESET', 'halten Sie BOOT, drücken Sie RESET'),
  'ticker.not_in_loader': row('Hold BOOT, press and release RESET', 'Halten Sie BOOT, drücken Sie kurz RESET'),
  'ticker.device_gone': row('Plug it in again', 'Stecken Sie es wieder ein'),
  'ticker.unknown_chip': row('Use a board with', 'Verwenden Sie ein Board mit'),
  'ticker.chip_locked': row('Use another board', 'Verwenden Sie ein anderes Board'),
  'ticker.loader_failed': row('Unplug the board for ten seconds', 'Ziehen Sie das Board zehn Sekunden lang ab'),
  'ticker.no_flash': row('Disconnect everything else', 'Trennen Sie alles andere'),
  'ticker.read_failed': row('Use a shorter cable', 'Verwenden Sie ein kürzeres Kabel', AT),
  'ticker.write_failed': row('Use a shorter cable', 'Verwenden Sie ein kürzeres Kabel', AT),
  'ticker.verify_failed': row('Write again', 'Schreiben Sie erneut', AT),
  'ticker.timed_out': row('Unplug it, plug it in again', 'stecken Sie es wieder ein'),
  'ticker.cancelled': row('ready for the next try', 'bereit für den nächsten Versuch'),
  'ticker.no_images': row('Choose at least one image', 'Wählen Sie mindestens ein Abbild'),
  'ticker.update_file': row('use the image that ends in .bin', 'das Abbild, das auf .bin endet', NAME),
  'ticker.not_an_image': row('Choose another file', 'Wählen Sie eine andere Datei', NAME),
  'ticker.backup_exists': row('Choose another file', 'Wählen Sie eine andere Datei', NAME),
  'ticker.file_unreadable': row('Check its name', 'Prüfen Sie den Namen', NAME),
  'ticker.file_missing': row('Also select', 'Wählen Sie auch', NAME),
  'ticker.image_incomplete': row('Download it again', 'Laden Sie es erneut herunter', NAME),
  'ticker.wrong_chip': row('Choose the image for this board', 'Wählen Sie das Abbild für dieses Board', {
    ...NAME,
    image: 'ESP32-C3',
    chip: 'ESP8266',
  }),
  'ticker.wrong_board': row('Choose the image for this board', 'Wählen Sie das Abbild für dieses Board', {
    ...NAME,
    image: 'smalltv-pro',
    board: 'nm-tv-154',
  }),
  'ticker.wrong_address': row('Check the address', 'Prüfen Sie die Adresse', { ...NAME, ...AT }),
  'ticker.too_large': row('Choose the image for this board', 'Wählen Sie das Abbild für dieses Board', {
    ...NAME,
    size: 8_388_608,
    room: 4_194_304,
  }),
  'ticker.not_hearth': row('Write the firmware first', 'Schreiben Sie zuerst die Firmware'),
  'ticker.device_silent': row('Check its cable or network', 'Prüfen Sie Kabel oder Netz'),
  'ticker.line_noise': row('Try another cable', 'Nehmen Sie ein anderes Kabel'),
  'ticker.device_busy': row('Try again in a moment', 'Versuchen Sie es gleich erneut'),
  'ticker.not_saved': row('Start it again', 'Starten Sie es neu'),
  'ticker.not_kept': row('Read its settings again', 'Lesen Sie die Einstellungen erneut', { paths: 'rotation, mode' }),
  'ticker.setting_refused': row('Correct it and write again', 'Korrigieren Sie es', {
    key: 'rotation',
    rule: '0 to 3',
  }),
  'ticker.settings_too_long': row('Remove something', 'Entfernen Sie etwas', { bytes: 16_384 }),
  'ticker.settings_unreadable': row('Choose a file', 'Wählen Sie eine Datei', { name: 'backup.json' }),
  'ticker.no_screen': row('Start it again', 'Starten Sie es neu'),
  'ticker.wifi_refused': row('Check the password', 'Prüfen Sie das Passwort', { name: 'Attic' }),
  'ticker.wifi_failed': row('Try again', 'Versuchen Sie es erneut', { name: 'Attic' }),
  'ticker.nothing_leaves': row('Allow it there', 'Erlauben Sie es dort'),
  'ticker.source_failed': row('Try again later', 'Versuchen Sie es später', { host: 'www.cash.ch' }),
  'ticker.firmware_missing': row('Choose a downloaded manifest', 'Wählen Sie ein heruntergeladenes Manifest'),
  'ticker.firmware_damaged': row('Install Hearth again', 'Installieren Sie Hearth neu'),
  'ticker.source_is_file': row('Change that file', 'Ändern Sie diese Datei'),
  'ticker.source_full': row('Remove one first', 'Entfernen Sie zuerst', { most: 8 }),
  'ticker.source_device_unknown': row('Add it again', 'Fügen Sie es neu hinzu'),
  'ticker.symbol_listed': row('Choose another symbol', 'Wählen Sie ein anderes Symbol', { symbol: 'HOUSE' }),
  'ticker.entry_without_price': row('Check the file and its column', 'Prüfen Sie Datei und Spalte'),
  'ticker.unknown_symbol': row('Check how it is written', 'Prüfen Sie die Schreibweise'),
  'ticker.listing_key': row('Search for the instrument', 'Suchen Sie das Papier'),
  'ticker.repo_missing': row('Enter the repository', 'Geben Sie das Repository'),
  'ticker.address_refused': row('Enter the address', 'Geben Sie die Adresse'),
  'ticker.password_wrong': row('Enter the password of its page', 'Geben Sie das Passwort seiner Seite ein'),
  'ticker.update_unreadable': row('Download the file again', 'Laden Sie die Datei erneut herunter'),
  'ticker.update_other_board': row('Choose the file for this board', 'Wählen Sie die Datei für dieses'),
  'ticker.update_too_large': row('Choose the file for this board', 'Wählen Sie die Datei für dieses Board'),
  'ticker.update_not_signed': row('Choose a file of their release', 'Wählen Sie eine Datei ihres Releases'),
  'ticker.update_not_stored': row('Start it again', 'Starten Sie es neu'),
  'ticker.presence_needed': row('then enter it', 'geben Sie ihn ein'),
  'ticker.code_shown': row('wait half a minute', 'warten Sie eine halbe Minute'),
  'ticker.update_damaged': row('Download it again', 'Laden Sie die Datei erneut herunter', { name: 'a.update' }),
  'ticker.not_an_update': row('Choose the file that ends in .update', 'die auf .update endet', { name: 'a.zip' }),
  'ticker.overlapping': row('Check their addresses', 'Prüfen Sie ihre Adressen', { ...NAME, other: 'table.bin' }),
};
