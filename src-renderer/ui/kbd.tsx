const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key as on the user's keyboard; `mod` is ⌘ or Ctrl: `<Kbd keys="mod k" />`. */
export function Kbd({ keys }: { keys: string }) {
  const isCombined = keys.startsWith('mod');
  const labelOf = (key: string): string => {
    if (key === 'mod') return isApple ? '⌘' : 'Ctrl ';
    return key.length === 1 && isCombined ? key.toUpperCase() : key;
  };
  const text = keys
    .split(' ')
    .map(labelOf)
    .join(isCombined ? '' : ' ');
  return <kbd>{text}</kbd>;
}
