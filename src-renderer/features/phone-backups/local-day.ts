/** Civil day (`YYYY-MM-DD`) of a UTC timestamp, in the user's time zone or `offset` minutes east of UTC. */
export function localDay(timestamp: string, offset: number | null = null): string {
  const instant = new Date(`${timestamp}Z`);
  if (offset !== null) return new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 10);
  const month = String(instant.getMonth() + 1).padStart(2, '0');
  const day = String(instant.getDate()).padStart(2, '0');
  return `${instant.getFullYear()}-${month}-${day}`;
}
