/** Error codes of the ticker bench: ports, boards, and images for them. */
export const TICKER_ERRORS = {
  'ticker.no_driver': {
    status: 501,
    detail: 'This system has no driver for serial ports in Hearth. Use the page Tickers in Chrome or Edge instead.',
  },
  'ticker.port_not_found': { status: 404, detail: 'The port {{port}} was not found. Plug the board in again.' },
  'ticker.port_busy': {
    status: 409,
    detail: 'The port does not open. Close other programs that use it, for example a serial monitor, and try again.',
  },
  'ticker.port_denied': {
    status: 403,
    detail:
      'The system does not let you use this port. On Linux, add the rule shown below, then plug the board in again.',
  },
  'ticker.no_answer': {
    status: 504,
    detail: 'The board does not answer. Use a cable that carries data, or hold BOOT, press RESET and try again.',
  },
  'ticker.not_in_loader': {
    status: 409,
    detail: 'The board runs its program instead of its loader. Hold BOOT, press and release RESET, and try again.',
  },
  'ticker.device_gone': { status: 503, detail: 'The board was unplugged. Plug it in again and start once more.' },
  'ticker.unknown_chip': {
    status: 422,
    detail: 'Hearth does not know this chip. Use a board with an ESP8266, ESP32, ESP32-C2 or ESP32-C3.',
  },
  'ticker.chip_locked': {
    status: 409,
    detail: 'The maker locked this chip, so it accepts only signed programs. Use another board for a ticker.',
  },
  'ticker.loader_failed': {
    status: 502,
    detail: 'The helper program did not start on the board. Unplug the board for ten seconds and try again.',
  },
  'ticker.no_flash': {
    status: 502,
    detail: 'The chip does not reach its memory. Disconnect everything else from its pins and try again.',
  },
  'ticker.read_failed': {
    status: 502,
    detail: 'The memory could not be read at {{address}}. Use a shorter cable or another socket, then continue.',
  },
  'ticker.write_failed': {
    status: 502,
    detail: 'The memory could not be written at {{address}}. Use a shorter cable or another socket and write again.',
  },
  'ticker.verify_failed': {
    status: 502,
    detail:
      'What is stored at {{address}} differs from the image. Write again; if it happens twice, the memory is worn.',
  },
  'ticker.timed_out': {
    status: 504,
    detail: 'The board stopped answering. Unplug it, plug it in again and start once more.',
  },
  'ticker.cancelled': { status: 409, detail: 'Stopped. The board is ready for the next try.' },
  'ticker.no_images': { status: 422, detail: 'Choose at least one image to write.' },
  'ticker.update_file': {
    status: 422,
    detail: '{{name}} is an update for the page of the device. For the cable, use the image that ends in .bin.',
  },
  'ticker.not_an_image': { status: 422, detail: '{{name}} is not firmware for a board. Choose another file.' },
  'ticker.backup_exists': {
    status: 409,
    detail: '{{name}} holds something else than this board’s memory. Choose another file.',
  },
  'ticker.file_unreadable': {
    status: 422,
    detail: '{{name}} can’t be opened. Check its name, and that you may use it.',
  },
  'ticker.file_missing': { status: 422, detail: 'Also select {{name}}, which the manifest names.' },
  'ticker.image_incomplete': { status: 422, detail: '{{name}} ends too early. Download it again.' },
  'ticker.wrong_chip': {
    status: 422,
    detail: '{{name}} is for {{image}}, this board has {{chip}}. Choose the image for this board.',
  },
  'ticker.wrong_board': {
    status: 422,
    detail: '{{name}} is for the board {{image}}, this is {{board}}. Choose the image for this board.',
  },
  'ticker.wrong_address': {
    status: 422,
    detail: '{{name}} does not belong at {{address}}. Check the address, or use one complete image.',
  },
  'ticker.too_large': {
    status: 422,
    detail: '{{name}} needs {{size}} bytes and there is room for {{room}}. Choose the image for this board.',
  },
  'ticker.not_hearth': {
    status: 422,
    detail: 'No answer of Hearth’s firmware came. Write the firmware first, or press RESET on the board.',
  },
  'ticker.device_silent': {
    status: 504,
    detail: 'The device did not answer in time. Check its cable or network, then try again.',
  },
  'ticker.line_noise': { status: 503, detail: 'The line garbled the data. Try another cable or USB port.' },
  'ticker.device_busy': {
    status: 409,
    detail: 'Something else is being saved or updated on the device. Try again in a moment.',
  },
  'ticker.not_saved': {
    status: 503,
    detail: 'The device could not write to its memory, and keeps its old settings. Start it again, then try again.',
  },
  'ticker.not_kept': {
    status: 503,
    detail: 'The device does not show these changes: {{paths}}. Read its settings again.',
  },
  'ticker.setting_refused': {
    status: 422,
    detail: 'The device refused {{key}} and changed nothing: {{rule}}. Correct it and write again.',
  },
  'ticker.settings_too_long': {
    status: 422,
    detail: 'The settings are longer than {{bytes}} bytes. Remove something and write again.',
  },
  'ticker.settings_unreadable': {
    status: 422,
    detail: '{{name}} does not hold settings of a ticker. Choose a file that was exported from one.',
  },
  'ticker.no_screen': { status: 503, detail: 'The device draws nothing now. Start it again.' },
  'ticker.wifi_refused': {
    status: 422,
    detail: 'The device could not join {{name}}. Check the password; it only sees networks at 2.4 GHz.',
  },
  'ticker.wifi_failed': { status: 504, detail: 'The device did not say whether it joined {{name}}. Try again.' },
  'ticker.nothing_leaves': {
    status: 409,
    detail: 'Settings say that nothing leaves this computer. Allow it there to search for symbols.',
  },
  'ticker.source_failed': {
    status: 502,
    detail: '{{host}} did not give a usable answer. Try again later, or choose another source.',
  },
  'ticker.firmware_missing': {
    status: 404,
    detail: 'No firmware for this board comes with Hearth. Choose a downloaded manifest or image.',
  },
  'ticker.firmware_damaged': {
    status: 500,
    detail: 'The firmware that comes with Hearth is damaged. Install Hearth again, or choose a downloaded image.',
  },
  'ticker.source_is_file': {
    status: 409,
    detail: 'The configuration names a file as list of prices. Change that file, or remove it from the configuration.',
  },
  'ticker.source_full': { status: 409, detail: 'There can be at most {{most}} of them. Remove one first.' },
  'ticker.source_device_unknown': { status: 404, detail: 'This device is not in the list. Add it again.' },
  'ticker.symbol_listed': { status: 409, detail: 'The list has {{symbol}} already. Choose another symbol.' },
  'ticker.entry_without_price': {
    status: 422,
    detail: 'There is no price. Check the file and its column, or that all parts are listed in one currency.',
  },
  'ticker.unknown_symbol': { status: 404, detail: 'The source does not know this symbol. Check how it is written.' },
  'ticker.listing_key': {
    status: 422,
    detail: 'This source takes a listing key such as 1222171-4-1. Search for the instrument to get it.',
  },
  'ticker.repo_missing': { status: 422, detail: 'Enter the repository with published quotes, as owner/name.' },
  'ticker.address_refused': {
    status: 422,
    detail: 'Enter the address of a device in the home network, such as 192.168.1.20 or smalltv-1a2b.local.',
  },
  'ticker.password_wrong': {
    status: 409,
    detail: 'The device wants its password, or this one is wrong. Enter the password of its page.',
  },
  'ticker.update_unreadable': {
    status: 422,
    detail: 'The device could not read the update and keeps its firmware. Download the file again.',
  },
  'ticker.update_other_board': {
    status: 422,
    detail: 'The update is for another board, so the device keeps its firmware. Choose the file for this board.',
  },
  'ticker.update_too_large': {
    status: 422,
    detail: 'The update does not fit into the device, which keeps its firmware. Choose the file for this board.',
  },
  'ticker.update_not_signed': {
    status: 422,
    detail: 'The makers of the device’s firmware did not sign this update. Choose a file of their release.',
  },
  'ticker.update_not_stored': {
    status: 503,
    detail: 'The device could not store the update and keeps its firmware. Start it again, then try again.',
  },
  'ticker.presence_needed': {
    status: 409,
    detail: 'The device wants the code that it shows. Let it show one, then enter it.',
  },
  'ticker.code_shown': {
    status: 409,
    detail: 'The device showed a code a moment ago. Enter that one, or wait half a minute for the next.',
  },
  'ticker.update_damaged': { status: 422, detail: '{{name}} is damaged. Download it again.' },
  'ticker.not_an_update': {
    status: 422,
    detail: '{{name}} is not an update. Choose the file that ends in .update.',
  },
  'ticker.overlapping': { status: 422, detail: '{{name}} and {{other}} overlap. Check their addresses.' },
} as const;
