import { useState, type DragEvent, type ReactNode } from 'react'

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** Takes files that are dropped on it; what becomes of them is told by `onDrop`, since only the desktop window learns where they lie. */
export function DropZone(props: { onDrop(): void; children: ReactNode }) {
  const [over, setOver] = useState(false)
  return (
    <div
      className="relative h-full"
      onDragOver={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'link'
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
        setOver(false)
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(false)
        props.onDrop()
      }}
    >
      {props.children}
      {over ? (
        <p
          role="status"
          className="pointer-events-none absolute inset-3 z-10 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-surface/90 text-lg"
        >
          Drop GGUF files or folders: they are read where they lie.
        </p>
      ) : null}
    </div>
  )
}
