/** Error codes of the files of a vault, of the choice of a vault, and of a vault on a disk that comes and goes. */
export const VAULT_ERRORS = {
  'vault.path_outside': {
    status: 400,
    detail: 'This path is outside the vault or is not a regular file. Choose a file in the vault.',
  },
  'vault.path_not_found': {
    status: 404,
    detail: 'This file or folder is not in the vault. It may have been moved or deleted.',
  },
  'vault.protected_folder': {
    status: 400,
    detail: 'Hearth manages this folder, so it can’t be changed. Use a folder in patients or unclassified.',
  },
  'vault.move_into_self': { status: 400, detail: 'A folder can’t be moved into itself. Choose another folder.' },
  'vault.part_of_study': {
    status: 409,
    detail: 'This file is part of an imaging study. Move the whole folder, or delete the study.',
  },
  'vault.patient_mismatch': {
    status: 409,
    detail: 'Files can’t be moved to another person’s folder. Open the document and change the patient instead.',
  },
  'vault.path_invalid': {
    status: 400,
    detail: 'Enter a full path to a folder outside of the vault that is open.',
  },
  'vault.not_a_vault': {
    status: 409,
    detail: 'This folder holds no vault. Choose another one, or an empty folder for a new vault.',
  },
  'vault.absent': {
    status: 404,
    detail: 'No vault was found at this path. Connect its disk, or check the path.',
  },
  'vault.in_use': {
    status: 409,
    detail: 'This vault is open on the computer “{{host}}”. Close it there, or open it read-only.',
  },
  'vault.cannot_switch': { status: 409, detail: 'This program can’t open another vault. Start it with --vault.' },
  'vault.not_empty': { status: 409, detail: 'This folder is not empty. Choose an empty or a new one.' },
  'vault.no_space': { status: 507, detail: 'The disk has only {{free}} free, and the vault needs {{needed}}.' },
  'vault.busy': { status: 409, detail: 'The vault is being moved. Wait until that has ended, or stop it.' },
  'vault.move_failed': {
    status: 500,
    detail: 'The vault could not be moved, and is where it was. Check the disk and try again.',
  },
  'vault.disk_gone': {
    status: 503,
    detail: 'The disk of the vault is not connected. Nothing is lost: connect it, and Hearth goes on.',
  },
  'vault.taken_over': {
    status: 503,
    detail:
      'Another computer has opened this vault, so nothing is stored here any more. Open it again when it is free.',
  },
  'vault.busy_elsewhere': {
    status: 409,
    detail: 'Another Hearth has this vault open. Close it there, or open it read-only.',
  },
  'vault.read_only': {
    status: 409,
    detail: 'The vault is open elsewhere and only shown here, so nothing can be changed.',
  },
  'vault.being_switched': {
    status: 409,
    detail: 'The vault is being encrypted or decrypted. Wait until that has ended.',
  },
  'vault.closing': {
    status: 409,
    detail: 'Hearth is closing this vault for something that was asked for just before. Wait a moment and try again.',
  },
  'vault.not_being_switched': {
    status: 409,
    detail: 'The vault is neither being encrypted nor decrypted, so there is nothing to cancel.',
  },
  'vault.switch_cancelled': {
    status: 409,
    detail: 'Encrypting or decrypting was cancelled. The vault is as it was before, and nothing is lost.',
  },
  'vault.cancelled_too_late': {
    status: 409,
    detail: 'Encrypting or decrypting had ended already when it was cancelled. You can switch it back.',
  },
  'vault.switch_failed': {
    status: 500,
    detail: 'The encryption could not be switched. Nothing is lost: check the disk, and go on with the password.',
  },
  'vault.file_unreadable': {
    status: 500,
    detail:
      'A file of the vault is damaged or can’t be read, so its encryption can’t be switched. Check the files in the ' +
      'settings. The commands hearth vault encrypt and decrypt name the file.',
  },
  'vault.switch_no_space': {
    status: 507,
    detail: 'The disk needs free space for twice the largest file of the vault. Free some, and try again.',
  },
  'vault.already_encrypted': { status: 409, detail: 'The vault is encrypted already.' },
  'vault.cannot_switch_here': {
    status: 409,
    detail: 'This program can’t encrypt or decrypt the vault while it only shows it.',
  },
  'vault.recovery_key_differs': {
    status: 400,
    detail: 'This is not the recovery key that was shown. Nothing was changed; compare it with what you wrote down.',
  },
  'vault.recovery_key_expired': {
    status: 409,
    detail: 'The recovery key that was shown is not kept any longer. Nothing was changed; begin again.',
  },
  'vault.encryption_here_only': {
    status: 403,
    detail: 'The encryption is changed on the computer that Hearth runs on. Open this page there.',
  },
  'vault.keychain_refused': {
    status: 409,
    detail: 'The keychain of this computer did not open the vault. Nothing is lost: enter its password.',
  },
  'vault.key_file_damaged': {
    status: 409,
    detail:
      'The key file of the vault (vault-key.json) is damaged, and without it nothing can be read. Take it from a ' +
      'backup of this vault.',
  },
  'vault.key_file_newer': {
    status: 409,
    detail: 'This vault was encrypted by a newer version of Hearth. Nothing is lost: install that version or newer.',
  },
  'vault.open_failed': {
    status: 500,
    detail:
      'The vault could not be opened, and nothing was changed. Check its disk. If its database is damaged, restore a ' +
      'backup into a new folder.',
  },
  'vault.no_keychain': {
    status: 409,
    detail: 'No keychain of this computer can keep the key of the vault, so its password stays needed.',
  },
  'vault.locked': { status: 423, detail: 'The vault is encrypted and locked. Unlock it with its password.' },
  'vault.not_encrypted': { status: 409, detail: 'The vault is not encrypted.' },
  'vault.cannot_lock': { status: 409, detail: 'This program can’t lock the vault while it only shows it.' },
  'vault.wrong_password': {
    status: 403,
    detail: 'This is neither the password of the vault nor its recovery key. Check what you typed.',
  },
  'vault.unlock_here_only': {
    status: 403,
    detail: 'The vault is unlocked on the computer that Hearth runs on. Open the page there.',
  },
  'vault.none_before': {
    status: 409,
    detail: 'No other vault was open before, or this one is being encrypted or decrypted.',
  },
  'vault.unlock_limited': { status: 429, detail: 'Too many failed attempts. Try again in {{minutes}} min.' },
} as const;
