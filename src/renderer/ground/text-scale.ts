/** How large words are against what Loam is drawn for: for heights that words must fit into and that are reckoned in pixels. */
export const textScale = (): number =>
  parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1
