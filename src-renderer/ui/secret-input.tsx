import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Icon } from './icon.tsx';
import { Input } from './field.tsx';

/** A password field with a button that shows what was typed; `labels` name the button. Needs no provider. */
export function SecretInput({
  labels,
  ...rest
}: Omit<ComponentProps<typeof Input>, 'type'> & { labels: { show: string; hide: string } }) {
  const [isShown, setShown] = useState(false);
  const label = isShown ? labels.hide : labels.show;
  return (
    <span className="secret">
      <Input {...rest} type={isShown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <button
        type="button"
        className="btn btn-quiet icon-btn secret-eye"
        aria-label={label}
        title={label}
        onClick={() => setShown(!isShown)}
      >
        <Icon glyph={isShown ? EyeOff : Eye} />
      </button>
    </span>
  );
}
