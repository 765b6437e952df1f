import { Check, Copy, Eye, EyeOff } from '../components/icons'
import { useState } from 'react'
import { IconButton } from '../components/icon-button'

const SHOWN_MS = 1_500

const DOTS = '•'.repeat(24)

/** A text in fixed width letters with a button that copies it. Dots stand for the part of it that is `secret`, until a person asks to see it. */
export function CopyLine(props: { label: string; text: string; secret?: string }) {
  const { label, text, secret } = props
  const [isSeen, setSeen] = useState(false)
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    })
  return (
    <div className="flex min-w-0 items-start gap-2">
      <pre className="min-w-0 flex-1 overflow-x-auto rounded-md bg-sunken px-3 py-1.5 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        {secret === undefined || isSeen ? text : text.replaceAll(secret, DOTS)}
      </pre>
      {secret === undefined ? null : (
        <IconButton
          label={`${isSeen ? 'Hide' : 'Show'} ${label}`}
          icon={isSeen ? EyeOff : Eye}
          onClick={() => setSeen(!isSeen)}
        />
      )}
      <IconButton
        label={copied ? `${label}: copied` : `Copy ${label}`}
        icon={copied ? Check : Copy}
        onClick={copy}
      />
    </div>
  )
}
