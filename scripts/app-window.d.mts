export function findAppWindow(system: {
  platform: string;
  env: Record<string, string | undefined>;
  isRoot: boolean;
  exists?: (path: string) => boolean;
}): string | null;
export function openAppWindow(program: string, url: string, profile: string): void;
export function addressIn(line: string): string | null;
