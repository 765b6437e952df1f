import { SmallFold } from '../../components/fold'
import { Verbatim } from '../../components/verbatim'

/** Text as the machine wrote it, always as text. */
export function Mono({ text }: { text: string }) {
  return (
    <div className="mt-1.5">
      <Verbatim label="Text" scroll>
        {text === '' ? ' ' : text}
      </Verbatim>
    </div>
  )
}

/** A text behind its title, opened by whoever wants to read it. */
export function Folded({ title, text }: { title: string; text: string }) {
  return (
    <SmallFold title={title} look="text-sm text-muted hover:text-ink">
      <Mono text={text} />
    </SmallFold>
  )
}
