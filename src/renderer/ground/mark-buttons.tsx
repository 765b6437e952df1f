import { Pin, PinOff, Volume2, VolumeX } from '../components/icons'
import { IconButton } from '../components/icon-button'

type Mark = 'pinned' | 'muted'

const MARKS = [
  {
    mark: 'pinned',
    on: { icon: PinOff, label: 'Unpin' },
    off: { icon: Pin, label: 'Pin: recall it before others' },
  },
  {
    mark: 'muted',
    on: { icon: Volume2, label: 'Unmute' },
    off: { icon: VolumeX, label: 'Mute: never recall it' },
  },
] as const

/** Pins and mutes something that is recalled, and takes that back. */
export function MarkButtons(props: { mark: Mark | null | undefined; onMark(mark: Mark | null): void }) {
  return MARKS.map(({ mark, on, off }) => {
    const isOn = props.mark === mark
    return <IconButton key={mark} {...(isOn ? on : off)} onClick={() => props.onMark(isOn ? null : mark)} />
  })
}
