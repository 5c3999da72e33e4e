/**
 * The address of a tunnel without path, query and trailing slash; null if it is not a plain address of the web. User
 * names and fragments would end up in links that people send around.
 */
export function toPublicUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return url.origin + url.pathname.replace(/\/+$/, '');
}
