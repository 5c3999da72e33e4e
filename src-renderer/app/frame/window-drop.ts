import { useEffect, useRef, useState } from 'react';

/** A file that a user chose or dropped; below a dropped folder, its path begins with the name of that. */
export interface ChosenFile {
  file: File;
  path: string;
}

/** Files that were chosen one by one. */
export const toChosenFiles = (files: readonly File[]): ChosenFile[] => files.map((file) => ({ file, path: file.name }));

/** Calls `onFiles` with files dropped anywhere in the window; true while files are dragged over it. */
export function useWindowDrop(onFiles: (files: ChosenFile[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) {
        depth += 1;
        setIsOver(true);
      }
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setIsOver(false);
    };
    const allow = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setIsOver(false);
      void filesOf(event.dataTransfer).then((files) => latest.current(files));
    };
    const listeners = [
      ['dragenter', enter],
      ['dragleave', leave],
      ['dragover', allow],
      ['drop', drop],
    ] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
    };
  }, []);
  return isOver;
}

/** Dropped files, including those in dropped folders. */
async function filesOf(data: DataTransfer | null): Promise<ChosenFile[]> {
  const entries = [...(data?.items ?? [])].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return entries.length > 0
    ? (await Promise.all(entries.map(filesBelow))).flat()
    : toChosenFiles([...(data?.files ?? [])]);
}

async function filesBelow(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path: entry.fullPath.replace(/^\//, '') }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: ChosenFile[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return files;
    files.push(...(await Promise.all(part.map(filesBelow))).flat());
  }
}
