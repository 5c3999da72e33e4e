/** The File System Access API, as far as it is used here; TypeScript knows only what every browser has. */
interface Window {
  showDirectoryPicker(options?: { id?: string; mode?: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>;
  showSaveFilePicker(options?: { suggestedName?: string }): Promise<FileSystemFileHandle>;
}
