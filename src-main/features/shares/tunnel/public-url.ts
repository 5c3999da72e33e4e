/**
 * The address of a tunnel: scheme, host and port; null if it is not a plain address of the web. The pages of recipients
 * are at its root, so one with a path leads nowhere. User names and fragments would end up in links that people send
 * around.
 */
export function toPublicUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return /^\/+$/.test(url.pathname) ? url.origin : null;
}
