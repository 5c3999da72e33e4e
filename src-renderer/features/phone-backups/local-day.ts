/** The day of a UTC timestamp where the reader is, or as many minutes east as `offset` says; `YYYY-MM-DD`. */
export function localDay(timestamp: string, offset: number | null = null): string {
  const instant = new Date(`${timestamp}Z`);
  if (offset !== null) return new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 10);
  return `${instant.getFullYear()}-${String(instant.getMonth() + 1).padStart(2, '0')}-${String(instant.getDate()).padStart(2, '0')}`;
}
