import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../components/icon-button'

const SHOWN_MS = 1_500

/** A text in fixed width letters with a button that copies it. `secret` shows dots in its place. */
export function CopyLine(props: { label: string; text: string; secret?: boolean }) {
  const { label, text, secret = false } = props
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    })
  return (
    <div className="flex min-w-0 items-start gap-2">
      <pre className="min-w-0 flex-1 overflow-x-auto rounded-md bg-sunken px-3 py-1.5 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        {secret ? '•'.repeat(24) : text}
      </pre>
      <IconButton
        label={copied ? `${label}: copied` : `Copy ${label}`}
        icon={copied ? Check : Copy}
        onClick={copy}
      />
    </div>
  )
}
