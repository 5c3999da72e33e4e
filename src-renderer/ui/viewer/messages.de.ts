import type { viewerEn } from './messages.en.ts';

/** Words of the viewer in German. */
export const viewerDe: typeof viewerEn = {
  label: 'Dokumentansicht', tools: 'Werkzeuge der Ansicht', pages: 'Seiten', pages_of_document_one: '{{count}} Seite', pages_of_document_other: '{{count}} Seiten',
  page_of: 'Seite, von {{total}}', page_image: 'Seite {{page}} von {{total}}', page_text: 'Text der Seite {{page}}',
  page_failed: 'Seite {{page}} konnte nicht angezeigt werden.', retry: 'Erneut versuchen',
  go_to_page: 'Seite {{page}}', go_to_page_with_hits: 'Seite {{page}}, mit Treffern',
  width: 'Breite', page: 'Seite', fit_width: 'An Breite anpassen', fit_page: 'Ganze Seite', zoom_in: 'Vergrössern', zoom_out: 'Verkleinern', zoom_now: 'Zoom {{percent}} %, auf Originalgrösse setzen', actual_size: 'Originalgrösse',
  rotate: 'Drehen', rotate_hint: 'Diese Seite nach rechts drehen', region: 'Bereich', region_hint: 'Text eines Rechtecks kopieren',
  region_help: 'Ein Rechteck über den Text ziehen, der kopiert werden soll. Mit der Tastatur: Text markieren und kopieren.', region_text: 'Text des Bereichs', region_empty: 'In diesem Rechteck wurde kein Text gelesen.',
  words_one: '{{count}} Wort', words_other: '{{count}} Wörter', copy: 'Kopieren', copied: 'Kopiert', close: 'Schliessen',
  find: 'Im Text suchen', find_placeholder: 'In diesem Dokument suchen', hit_of: '{{at}} von {{count}}', no_hits: 'Keine Treffer', no_text: 'Kein Text gelesen', previous_hit: 'Voriger Treffer', next_hit: 'Nächster Treffer', close_find: 'Suche schliessen',
};
