/** The Loam mark: a seedling over two layers of earth. The same drawing as resources/icon.svg, without its tile. */
export function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" fill="none" aria-hidden className="shrink-0">
      <path d="M12 14.5V9.2" className="stroke-accent" strokeWidth="1.8" strokeLinecap="round" />
      <path d="M12 10.4C12 6.9 9.6 4.6 5.6 4.4c.1 3.9 2.5 6 6.4 6Z" className="fill-accent" />
      <path
        d="M12 8.6c.2-2.9 2.3-4.9 6.2-5.1-.1 3.5-2.3 5.4-6.2 5.1Z"
        className="fill-accent"
        opacity=".65"
      />
      <path
        d="M3.5 15.5c2.8-1.5 5.7-1.5 8.5 0s5.7 1.5 8.5 0"
        className="stroke-ink"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <path
        d="M3.5 19.7c2.8-1.5 5.7-1.5 8.5 0s5.7 1.5 8.5 0"
        className="stroke-line-strong"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
  )
}
