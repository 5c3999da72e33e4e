export function buildPages(say?: (sentence: string) => void): void;
