/** Copies a text; false if the browser refuses. Pages without TLS have no clipboard interface, only the old command. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), {
    value: text,
    readOnly: true,
    className: 'sr-only',
  });
  document.body.append(field);
  field.select();
  // The only way to copy without TLS, which is why browsers keep it.
  const hasCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return hasCopied;
}
