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
