import { DropdownMenu as Radix } from 'radix-ui';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';

/** A list of actions under `trigger`; children are MenuItem, MenuLabel and MenuRule. */
export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="float menu" align={align} sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuItem({
  glyph,
  mark,
  keys,
  isDangerous = false,
  disabled,
  onSelect,
  children,
}: {
  glyph?: LucideIcon;
  /** Shown instead of a glyph. */
  mark?: ReactNode;
  keys?: string;
  isDangerous?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Radix.Item
      className={classNames('menu-item', isDangerous && 'menu-danger')}
      disabled={disabled}
      onSelect={onSelect}
    >
      {glyph && <Icon glyph={glyph} />}
      {mark}
      <span className="truncate">{children}</span>
      {keys && <Kbd keys={keys} />}
    </Radix.Item>
  );
}

export const MenuRule = () => <Radix.Separator className="menu-rule" />;
export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="menu-label">{children}</Radix.Label>
);
