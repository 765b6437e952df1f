import type { IconType } from './icons'
import { Tooltip } from 'radix-ui'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classNames } from './class-names'
import { Keys } from './keys'

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'aria-label' | 'children'> {
  icon: IconType
  /** Its name, for screen readers and as the tooltip. */
  label: string
  /** Keys that do the same, shown in the tooltip. */
  keys?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
}

/** A square button that shows only an icon and says its name on hover and focus. */
export function IconButton(props: IconButtonProps) {
  const { icon: Icon, label, keys, side = 'bottom', className, ...rest } = props
  return (
    <Hint text={label} keys={keys} side={side}>
      <NamedButton
        description={rest['aria-describedby']}
        aria-label={label}
        aria-keyshortcuts={keys
          ?.replace('←', 'ArrowLeft')
          .replace('→', 'ArrowRight')
          .replace('Esc', 'Escape')}
        className={classNames(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-ink disabled:cursor-not-allowed disabled:opacity-40',
          className,
        )}
        {...rest}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </NamedButton>
    </Hint>
  )
}

/** A button whose tooltip says its name or its `aria-description` again, to those who see it: those who hear it hear it once. */
export const NamedButton = ({
  description,
  ...button
}: ComponentPropsWithRef<'button'> & { description?: string }) => (
  <button type="button" {...button} aria-describedby={description} />
)

interface HintProps {
  text: ReactNode
  keys?: string | undefined
  /** Default `bottom`. */
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** The control it explains; it must take a ref. */
  children: ReactNode
}

/** A tooltip on a control. */
export function Hint({ text, keys, side = 'bottom', children }: HintProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-70 max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-menu"
        >
          {text}
          {keys ? <Keys combo={keys} inverted /> : null}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
