import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { AskAttempt, AskInfo } from '../../../shared/domain/ask'
import { classNames } from '../../components/class-names'
import { bytesOf } from '../../ground/bytes'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

const typeOf = (name: string): string | undefined => TYPES[name.split('.').at(-1)?.toLowerCase() ?? '']

/** Whether a file is a picture by its name. */
export const isPicture = (name: string): boolean => typeOf(name) !== undefined

/** A picture from memory. As an image, not as a part of the page, so that an SVG can run and load nothing. */
export function Picture(props: {
  bytes: Uint8Array<ArrayBuffer>
  name: string
  words?: string
  /** Default: as large as there is room. */
  className?: string
}) {
  const { bytes, name, words = name, className = 'max-h-[60vh] max-w-full self-start object-contain' } = props
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const productText = URL.createObjectURL(new Blob([bytes], { type: typeOf(name) ?? '' }))
    setUrl(productText)
    return () => URL.revokeObjectURL(productText)
  }, [bytes, name])
  if (url === null) return null
  return <img src={url} alt={words} className={classNames('rounded-md border', className)} />
}

/** A picture of a list of files, small. Its name stands beside it. */
export function Thumbnail({ base64, name }: { base64: string; name: string }) {
  const bytes = useMemo(() => bytesOf(base64), [base64])
  return <Picture bytes={bytes} name={name} words="" className="size-10 object-cover" />
}

function AskPicture(props: { ask: AskInfo; attempt: AskAttempt; name: string; words: string }) {
  const { ask, attempt, name, words } = props
  const { client } = useServices()
  const isMade = attempt.made.some((file) => file.name === name)
  const { data } = useQuery(`${ask.id} ${attempt.index} ${name}`, async () => {
    const place = isMade ? { attempt: attempt.index } : { attempt: null, turn: attempt.turn }
    return bytesOf((await client.asks.file({ askId: ask.id, ...place, name })).base64)
  })
  return data ? <Picture bytes={data} name={name} words={words} /> : null
}

/** Shows pictures that an answer names, where they are files that the attempt made or was given. */
export function usePictures(ask: AskInfo, attempt: AskAttempt): (name: string, words: string) => ReactNode {
  return useCallback(
    (src, words) => {
      const name = decoded(src.replace(/^(?:\.\/|sandbox:\/?)/, ''))
      const isKnown = [...attempt.made, ...ask.given].some((file) => file.name === name)
      return isKnown && isPicture(name) ? (
        <AskPicture ask={ask} attempt={attempt} name={name} words={words} />
      ) : null
    },
    [ask, attempt],
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
