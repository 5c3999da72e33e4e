/** The parts of the File System Access API in use; TypeScript's DOM types omit them. */
interface Window {
  showDirectoryPicker(options?: { id?: string; mode?: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>;
  showSaveFilePicker(options?: { suggestedName?: string }): Promise<FileSystemFileHandle>;
}
