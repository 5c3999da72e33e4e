/** The display name of a document: its subject, otherwise its file name without extension and underscores. */
export const documentName = ({
  title,
  original_filename: filename,
}: {
  title: string | null;
  original_filename: string;
}): string =>
  title ??
  (filename
    .replace(/\.[a-z0-9]{2,5}$/i, '')
    .replace(/_+/g, ' ')
    .trim() ||
    filename);
