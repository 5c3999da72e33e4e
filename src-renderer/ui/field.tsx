import { CircleAlert } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode, type Ref } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** A label, its control, a hint and an error; `children` receives the attributes that connect them. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <span id={`${id}-note`} className="form-error">
          <Icon glyph={CircleAlert} size={14} />
          {error}
        </span>
      ) : (
        hint && (
          <span id={`${id}-note`} className="form-hint">
            {hint}
          </span>
        )
      )}
    </div>
  );
}

export function Input({
  className,
  isLarge,
  ref,
  ...rest
}: ComponentProps<'input'> & { isLarge?: boolean; ref?: Ref<HTMLInputElement> }) {
  return <input ref={ref} className={classNames('input', isLarge && 'input-large', className)} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={classNames('input', className)} {...rest} />;
}

/** A native select, which works best on phones and with screen readers. */
export function Select({
  className,
  isLarge,
  options,
  ...rest
}: Omit<ComponentProps<'select'>, 'children'> & {
  isLarge?: boolean;
  options: readonly { value: string; label: string }[];
}) {
  return (
    <select className={classNames('input select', isLarge && 'input-large', className)} {...rest}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** A checkbox; `hideLabel` shows its label to screen readers only. */
export function Checkbox({
  label,
  hideLabel,
  indeterminate = false,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: string; hideLabel?: boolean; indeterminate?: boolean }) {
  const box = (
    <input
      type="checkbox"
      className="check"
      aria-label={hideLabel ? label : undefined}
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
      }}
      {...rest}
    />
  );
  return hideLabel ? (
    box
  ) : (
    <label className="row">
      {box}
      <span className="truncate">{label}</span>
    </label>
  );
}

/** A segmented control: one of a few visible options. */
export function Segments<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: readonly { value: V; label: string; lang?: string; icon?: ReactNode; iconOnly?: boolean }[];
  onChange: (value: V) => void;
}) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          lang={option.lang}
          aria-pressed={option.value === value}
          aria-label={option.iconOnly ? option.label : undefined}
          title={option.iconOnly ? option.label : undefined}
          onClick={() => onChange(option.value)}
        >
          {option.icon}
          {!option.iconOnly && option.label}
        </button>
      ))}
    </div>
  );
}
