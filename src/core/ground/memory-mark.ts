/** What memory tells a program of others, between marks that the text cannot end: what is remembered may be somebody else's words. */
export const memoryMark = (text: string): string =>
  `<memory from="loam">\n${text.replaceAll(/<\/memory/giu, '‹/memory')}\n</memory>`
