import { classNames } from './class-names'

const isMac = navigator.userAgent.includes('Mac OS')

/** A key combination such as `Mod+K`, drawn as key caps; `Mod` is Cmd on a Mac and Ctrl elsewhere. */
export function Keys(props: {
  combo: string
  inverted?: boolean
  /** Whether it belongs to a button that tells its key by `aria-keyshortcuts`, not in its name. Default false. */
  drawn?: boolean
}) {
  const { combo, inverted = false, drawn = false } = props
  return (
    <span aria-hidden={drawn || undefined} className="ml-2 inline-flex gap-1 align-middle">
      {combo.split('+').map((key) => (
        <kbd
          key={key}
          className={classNames(
            'rounded-sm border px-1 font-sans text-2xs leading-4',
            inverted ? 'border-canvas/40' : 'border-line bg-sunken text-muted',
          )}
        >
          {key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : key}
        </kbd>
      ))}
    </span>
  )
}
