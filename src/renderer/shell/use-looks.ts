import { useEffect, useLayoutEffect } from 'react'
import { useStored } from '../stores/use-services'
import { showTextSize, showTheme } from './theme'

/** Puts on the page how it is to look: theme and text size. */
export function useLooks(): void {
  const theme = useStored('settings', (state) => state.settings?.theme ?? 'system')
  const textSize = useStored('settings', (state) => state.settings?.textSize ?? 'usual')
  useEffect(() => showTheme(theme), [theme])
  useLayoutEffect(() => showTextSize(textSize), [textSize])
}
