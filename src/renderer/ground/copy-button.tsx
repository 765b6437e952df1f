import { Check, Copy } from '../components/icons'
import { useState } from 'react'
import { IconButton } from '../components/icon-button'

const SHOWN_MS = 1_500

/** A button that copies a text and says that it did. */
export function CopyButton(props: {
  /** What it copies: `code`. */
  what: string
  text(): string
  className?: string
}) {
  const { what, text, className } = props
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    })
  return (
    <IconButton
      label={isCopied ? `Copied ${what}` : `Copy ${what}`}
      icon={isCopied ? Check : Copy}
      className={className}
      onClick={copy}
    />
  )
}
