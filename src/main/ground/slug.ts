/** A title as part of a file's name: letters a to z, digits and dashes, at most 60; `otherwise` where nothing of it is left. */
export const slugOf = (title: string, otherwise: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || otherwise
