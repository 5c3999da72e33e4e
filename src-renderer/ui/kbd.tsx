const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key as it is printed on the reader's keyboard; `mod` is ⌘ or Ctrl: `<Kbd keys="mod k" />`. */
export function Kbd({ keys }: { keys: string }) {
  const text = keys
    .split(' ')
    .map((key) =>
      key === 'mod' ? (isApple ? '⌘' : 'Ctrl ') : key.length === 1 && keys.startsWith('mod') ? key.toUpperCase() : key,
    )
    .join(keys.startsWith('mod') ? '' : ' ');
  return <kbd>{text}</kbd>;
}
