import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import type { AskAttempt, AskInfo } from '../../../shared/domain/ask'
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
export function Picture(props: { bytes: Uint8Array<ArrayBuffer>; name: string; words?: string }) {
  const { bytes, name, words = name } = props
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const productText = URL.createObjectURL(new Blob([bytes], { type: typeOf(name) ?? '' }))
    setUrl(productText)
    return () => URL.revokeObjectURL(productText)
  }, [bytes, name])
  if (url === null) return null
  return (
    <img
      src={url}
      alt={words}
      className="max-h-[60vh] max-w-full self-start rounded-md border object-contain"
    />
  )
}

/** Points each way, for screens with two of them a pixel. */
const SIZE = 80

/** A picture of a list of files, small; its name stands beside it. Nothing where it cannot be drawn, as of an SVG or a damaged file. */
export function Thumbnail({ base64, name }: { base64: string; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => {
    let isCurrent = true
    const draw = async () => {
      const picture = await createImageBitmap(new Blob([bytesOf(base64)], { type: typeOf(name) ?? '' }))
      const { width, height } = picture
      const side = Math.min(width, height)
      if (isCurrent)
        canvas.current
          ?.getContext('2d')
          ?.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIZE, SIZE)
      picture.close()
      if (isCurrent) setIsDrawn(true)
    }
    draw().catch(() => setIsDrawn(false))
    return () => {
      isCurrent = false
    }
  }, [base64, name])
  return (
    <canvas
      ref={canvas}
      width={SIZE}
      height={SIZE}
      aria-hidden
      className="size-10 rounded-md border"
      hidden={!isDrawn}
    />
  )
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
