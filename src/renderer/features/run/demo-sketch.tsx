/** A drawing of what the demo is about, without figures: one flat line, one that rises. */
export function DemoSketch() {
  return (
    <svg viewBox="0 0 320 96" className="w-80" fill="none" aria-hidden>
      <path d="M8 88h304" className="stroke-line" strokeWidth="1" />
      <path
        d="M8 70c18-6 26 4 44 1s24-7 42-2 28 5 46 0 30-5 48 1 26 3 44-1 28-3 46 1 22 2 34 0"
        strokeWidth="2"
        strokeLinecap="round"
        style={{ stroke: 'var(--series-1)' }}
      />
      <path
        d="M8 72c24-2 38-4 58-10s34-8 56-18 40-14 62-20 44-6 66-8 42-3 62-4"
        strokeWidth="2"
        strokeLinecap="round"
        style={{ stroke: 'var(--series-2)' }}
      />
    </svg>
  )
}
