/** Words of the viewer in English. */
export const viewerEn = {
  label: 'Document viewer', tools: 'Viewer tools', pages: 'Pages', pages_of_document_one: '{{count}} page', pages_of_document_other: '{{count}} pages',
  page_of: 'Page, of {{total}}', page_image: 'Page {{page}} of {{total}}', page_text: 'Text of page {{page}}',
  page_failed: 'Page {{page}} could not be shown.', retry: 'Try again',
  go_to_page: 'Page {{page}}', go_to_page_with_hits: 'Page {{page}}, has hits',
  width: 'Width', page: 'Page', fit_width: 'Fit width', fit_page: 'Fit page', zoom_in: 'Zoom in', zoom_out: 'Zoom out', zoom_now: 'Zoom {{percent}} %, set to actual size', actual_size: 'Actual size',
  rotate: 'Rotate', rotate_hint: 'Turn this page right', region: 'Region', region_hint: 'Copy the text of a rectangle',
  region_help: 'Draw a rectangle over the text to copy. With the keyboard: select text and copy it.', region_text: 'Text of the region', region_empty: 'There is no text that was read in this rectangle.',
  words_one: '{{count}} word', words_other: '{{count}} words', copy: 'Copy', copied: 'Copied', close: 'Close',
  find: 'Find in text', find_placeholder: 'Find in this document', hit_of: '{{at}} of {{count}}', no_hits: 'No hits', no_text: 'No text was read', previous_hit: 'Previous hit', next_hit: 'Next hit', close_find: 'Close find',
};
