import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '../components/button'
import { TextLink } from '../components/row-link'
import type { ScreenId } from '../stores/ui'
import { useServices } from '../stores/use-services'

/** A button that opens another screen. */
export function GoButton({ to, ...button }: Omit<ButtonProps, 'onClick'> & { to: ScreenId }) {
  const { ui } = useServices()
  return <Button {...button} onClick={() => ui.getState().go(to)} />
}

/** The way to another screen within a sentence. */
export function GoLink({ to, children }: { to: ScreenId; children: ReactNode }) {
  const { ui } = useServices()
  return <TextLink onClick={() => ui.getState().go(to)}>{children}</TextLink>
}
