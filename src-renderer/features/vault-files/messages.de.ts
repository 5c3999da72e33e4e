import type { vaultFilesEn } from './messages.en.ts';

/** Words of the vault's files in German. */
export const vaultFilesDe: Record<keyof typeof vaultFilesEn, string> = {
  title: 'Tresordateien', loading: 'Wird geladen', retry: 'Nochmals versuchen', cancel: 'Abbrechen', tree: 'Ordner und Dateien des Tresors', name: 'Name', state: 'Stand', files: 'Dateien', size: 'Grösse', actions: 'Aktionen', actions_for: 'Aktionen für {{name}}',
  summary_one: '{{count}} Datei, {{size}}', summary_other: '{{count}} Dateien, {{size}}', all: 'Alle', foreign_filter: 'Ohne Dokument', empty: 'Der Tresor ist leer', empty_text: 'Legen Sie ein Dokument irgendwo ins Fenster; seine Datei erscheint hier.', foreign_none: 'Jede Datei gehört zu einem Dokument', foreign_none_text: 'Dateien, die jemand sonst in die Ordner des Tresors gelegt hat, stehen hier.', folder_empty: 'Nichts darin',
  folder_inbox: 'Eingang', folder_patients: 'Personen', folder_unclassified: 'Nicht zugeordnet',
  state_document: 'Dokument', state_imaging: 'Bildgebung', state_waiting: 'Wartet aufs Lesen', state_foreign: 'Kein Dokument', foreign_count_one: '{{count}} ohne Dokument', foreign_count_other: '{{count}} ohne Dokument',
  expand: '{{name}} öffnen', collapse: '{{name}} schliessen', open_document: 'Dokument öffnen', move: 'Verschieben oder umbenennen …', remove: 'Löschen', keys: 'Pfeiltasten gehen durch den Baum, M verschiebt, Entf löscht, Enter öffnet.',
  move_title: '{{name}} verschieben oder umbenennen', move_name: 'Name', move_name_bad: 'Schreiben Sie einen Namen ohne / und \\.', move_folder: 'Ordner', move_new: 'Neuer Ordner darin', move_new_hint: 'Darf leer bleiben.', move_do: 'Verschieben', move_top: 'direkt in {{folder}}',
  moved: '{{name}} liegt jetzt in {{folder}}', moved_back: '{{name}} liegt wieder, wo es war', removed: '{{name}} ist gelöscht', drag_hint: 'Legen Sie es auf einen Ordner derselben Person.',
  check: 'Sind alle Dateien heil?', check_now: 'Jetzt prüfen', check_stop: 'Anhalten', check_never: 'Die Dateien wurden noch nie mit dem Abgelegten verglichen.', check_whole: 'Alle {{count}} Dateien waren heil {{when}}.', check_whole_before: 'Zuletzt heil {{when}}.', check_cancelled: 'Das Vergleichen wurde angehalten {{when}}; bis dahin fand sich nichts.',
  check_running: '{{done}} von {{total}} Dokumenten verglichen', check_faults_one: '{{count}} Fund {{when}}', check_faults_other: '{{count}} Funde {{when}}', check_bytes: '{{files}} Dateien, {{size}} gelesen', faults_more: 'und {{count}} weitere',
  fault_missing: 'Die Datei fehlt', fault_changed: 'Die Datei hat andere Bytes, als abgelegt wurden', fault_foreign: 'Gehört zu keinem Dokument', fault_doubled: 'Derselbe Inhalt wie ein anderes Dokument', fault_lost_trash: 'Eine gelöschte Datei kann nicht zurückkommen', fault_database: 'Die Datenbank', fault_hidden: 'Eine Datei von jemandem, dessen Akte Sie nicht sehen', same_as: 'Gleicher Inhalt', show_in_tree: 'Zeigen',
};
