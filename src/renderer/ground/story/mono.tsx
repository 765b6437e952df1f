/** Text as the machine wrote it, always as text. */
export function Mono({ text }: { text: string }) {
  return (
    <pre
      // It scrolls, so the keyboard has to reach it.
      tabIndex={0}
      role="group"
      aria-label="Text"
      className="mt-1.5 max-h-64 overflow-auto rounded-md bg-sunken px-2.5 py-2 text-xs leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      {text === '' ? ' ' : text}
    </pre>
  )
}
