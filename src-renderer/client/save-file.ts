/** A file name such as `Ferritin + Hämoglobin.csv`, without characters that file systems reject. */
export const fileNameOf = (names: readonly string[], extension: 'csv' | 'png'): string =>
  `${
    names
      .join(' + ')
      .replace(/[\\/:*?"<>|\u0000-\u001f]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 80) || 'results'
  }.${extension}`;

/** Downloads a file in the browser. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
